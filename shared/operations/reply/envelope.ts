/** What replies of chat and text completion have in common around their choices. */
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamRest } from '../operation.ts';
import type { Usage } from './usage-schema.ts';

export type ReplyEnvelope = {
  id: string | null;
  model: string | null;
  /** Unix seconds. */
  created: number | null;
  usage: (Usage & JsonObject) | null;
  /** The reply is whole: `[DONE]` was seen, or it is one document. */
  done: boolean;
  /** What was odd about the reply, each once, in words for the user. */
  warnings: string[];
  /** An error object inside the reply. */
  streamError: JsonObject | null;
  /** The reply is a document that is cut, or has no choices at all. */
  unreadable: boolean;
};

export const emptyEnvelope: ReplyEnvelope = {
  id: null,
  model: null,
  created: null,
  usage: null,
  done: false,
  warnings: [],
  streamError: null,
  unreadable: false,
};

/** In the order of the choices; those that have none yet are left out. */
export function finishReasons(choices: readonly { finishReason: string | null }[]): string[] {
  return choices.flatMap(({ finishReason }) => (finishReason === null ? [] : [finishReason]));
}

/** Words that some gateways send with every piece, although they mean that there is no reason yet. */
const NO_REASON = /^(?:null|none|undefined|unfinished|not_finished|in_progress|incomplete)$/i;

/** Nothing, once each choice that was asked for has its finish reason; but for the usage that was asked for. */
export function restOfChoices(
  {
    choices,
    usage,
  }: { choices: readonly { finishReason: string | null }[] } & Pick<ReplyEnvelope, 'usage'>,
  sent: JsonObject,
): StreamRest {
  const isOpen = ({ finishReason }: { finishReason: string | null }) =>
    finishReason === null || NO_REASON.test(finishReason);
  const expected = typeof sent.n === 'number' ? sent.n : 1;
  if (choices.length < expected || choices.length === 0 || choices.some(isOpen)) return 'more';
  const isUsageAsked =
    isJsonObject(sent.stream_options) && sent.stream_options.include_usage === true;
  return isUsageAsked && usage === null ? 'usage' : 'nothing';
}
