/** Interprets finish reasons: whether one ends an answer or explains a missing answer. */
import { isJsonObject, type JsonValue } from '../../json.ts';
import { readString, type Warn } from './values.ts';

export type ChoiceEnd = {
  /** The gateway's raw value; null until received. */
  finishReason: string | null;
  /** `early`: sent with the first chunk; `wrong`: followed by more output; undefined if trusted. */
  doubt?: 'early' | 'wrong';
};

/** Some gateways send these values in every chunk until the real reason. */
const NO_REASON = /^(?:null|none|undefined|unfinished|not_finished|in_progress|incomplete)$/i;

export function isFinishReason(word: string): boolean {
  return word !== '' && !NO_REASON.test(word);
}

/** Returns the end state after one chunk; `isFirst` is false for a whole document. */
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

const WITHHELD = /content_?filter|safety|prohibited|block|spii|recitation|moderat|refus/i;

export function isWithheld(reason: string): boolean {
  return WITHHELD.test(reason);
}

/**
 * Returns true if the model continues once it gets its answer back
 * (https://platform.claude.com/docs/en/api/messages).
 */
export function isPaused(reason: string | null): boolean {
  return reason === 'pause_turn';
}

/** The sentence for an answer that the provider paused. */
export const PAUSED = 'Paused by the provider. Continue sends the answer back, and it goes on.';

/** The warning about a stream that may have lost its end. */
export const NO_STREAM_END =
  'The stream ended without a finish reason or [DONE]. The text may be incomplete.';

/** Says why an answer ended early, although it may have text; null if it wasn’t withheld. */
export function explainWithheld(reason: string | null, details?: JsonValue): string | null {
  if (reason === null || !isWithheld(reason)) return null;
  const { category, explanation } = isJsonObject(details) ? details : {};
  const words = typeof category === 'string' && category !== '' ? ` (${category})` : '';
  const said = typeof explanation === 'string' && explanation !== '' ? ` ${explanation}` : '';
  const sentence = /refus/i.test(reason)
    ? `The model or its provider refused${words}.`
    : `Withheld by the content filter (${reason}).`;
  return `${sentence}${said}`;
}

/** The message if the response couldn't be parsed. */
export const UNREADABLE = 'The response couldn’t be read.';

export function explainNoText(reasons: readonly string[], isReasoned: boolean): string {
  const withheld = reasons.map((reason) => explainWithheld(reason)).find((text) => text !== null);
  if (withheld !== undefined) return withheld;
  if (reasons.some(isPaused)) return PAUSED;
  if (reasons.some((reason) => /^(length|max_tokens|max_output_tokens)$/i.test(reason))) {
    return isReasoned
      ? 'The token limit was reached while the model was reasoning.'
      : 'The token limit was reached before any text.';
  }
  return isReasoned ? 'The model returned reasoning but no answer.' : 'The response is empty.';
}
