/** The fields around the choices of chat and completion responses. */
import { getNumber, isJsonNumber, type JsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamRest } from '../operation.ts';
import type { ChoiceEnd } from './finish-reason.ts';
import type { Usage } from './usage.ts';

export type ReplyEnvelope = {
  id: string | null;
  model: string | null;
  /** Unix seconds. */
  created: JsonNumber | null;
  usage: (Usage & JsonObject) | null;
  /** The reply is whole: `[DONE]` was seen, or it is one document. */
  done: boolean;
  /** It came as a stream; missing if it did not, and in runs of an earlier Gatehouse. */
  streamed?: boolean;
  /** Warnings for the user, each once. */
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

/** Nothing, once each choice that was requested has its finish reason; but for the usage that was requested. */
export function restOfChoices(
  { choices, usage }: { choices: readonly ChoiceEnd[] } & Pick<ReplyEnvelope, 'usage'>,
  sent: JsonObject,
): StreamRest {
  const isOpen = ({ finishReason, doubt }: ChoiceEnd) => finishReason === null || doubt === 'wrong';
  const prompts = promptCount(sent);
  if (choices.length < prompts || choices.some(isOpen)) return 'more';
  // Many gateways ignore `n`.
  const isShort = choices.length < prompts * Math.max(getNumber(sent.n) ?? 1, 1);
  if (isShort || choices.some(({ doubt }) => doubt === 'early')) return 'unclear';
  const isUsageAsked =
    isJsonObject(sent.stream_options) && sent.stream_options.include_usage === true;
  return isUsageAsked && usage === null ? 'usage' : 'nothing';
}

/** A prompt may be a text or a list of tokens; a list of prompts has an answer for each. */
function promptCount({ prompt }: JsonObject): number {
  const isList = Array.isArray(prompt) && prompt.some((item) => !isJsonNumber(item));
  return isList ? prompt.length : 1;
}
