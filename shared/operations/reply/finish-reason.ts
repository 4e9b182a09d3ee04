/** The finish reason of a choice, and whether it can be trusted: some gateways send one with every piece. */
import type { JsonValue } from '../../json.ts';
import { readString, type Warn } from './values.ts';

export type ChoiceEnd = {
  /** As the gateway wrote it, known or not; null until received. */
  finishReason: string | null;
  /** `early`: it came with the first piece. `wrong`: output followed it. Missing if it can be trusted. */
  doubt?: 'early' | 'wrong';
};

/** Words that some gateways send with every piece, although they mean that there is no reason yet. */
const NO_REASON = /^(?:null|none|undefined|unfinished|not_finished|in_progress|incomplete)$/i;

export function isFinishReason(word: string): boolean {
  return word !== '' && !NO_REASON.test(word);
}

/** The end after a piece with the reason `value`. `piece`: a document is never the first of several. */
export function readChoiceEnd(
  before: ChoiceEnd,
  value: JsonValue | undefined,
  piece: { isFirst: boolean; hasOutput: boolean },
  warn: Warn,
): ChoiceEnd {
  const word = readString(value, 'finish_reason', warn);
  const isReason = word !== null && isFinishReason(word);
  const finishReason = isReason ? word : before.finishReason;
  const isRefuted = before.finishReason !== null && piece.hasOutput;
  const doubt = isRefuted ? 'wrong' : isReason && piece.isFirst ? 'early' : before.doubt;
  return doubt === undefined ? { finishReason } : { finishReason, doubt };
}
