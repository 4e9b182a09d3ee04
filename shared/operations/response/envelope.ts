/** Defines the top-level fields of chat and completion responses. */
import { getNumber, isJsonNumber, type JsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Figures } from '../../run.ts';
import type { StreamRest } from '../operation.ts';
import type { ChoiceEnd } from './finish-reason.ts';
import type { Usage } from './usage.ts';

export type ResponseEnvelope = {
  id: string | null;
  model: string | null;
  created: JsonNumber | null;
  usage: (Usage & JsonObject) | null;
  /** Timings measured by llama.cpp; undefined if the response has none. */
  timings?: JsonObject;
  /** The response is complete: the stream sent `[DONE]`, or the body is one document. */
  done: boolean;
  /** Undefined if the response wasn't streamed, or if an earlier version stored the run. */
  streamed?: boolean;
  warnings: string[];
  streamError: JsonObject | null;
  unreadable: boolean;
};

export const emptyEnvelope: ResponseEnvelope = {
  id: null,
  model: null,
  created: null,
  usage: null,
  done: false,
  warnings: [],
  streamError: null,
  unreadable: false,
};

/** Returns the metrics of a chat or completion response. */
export function getEnvelopeFigures(
  { model, usage, timings }: ResponseEnvelope,
  choices: readonly { finishReason: string | null }[],
): Omit<Figures, 'noResult'> {
  const speed = getNumber(timings?.predicted_per_second);
  return {
    model,
    usage,
    finishReasons: finishReasons(choices),
    ...(speed !== null && speed > 0 && { tokensPerSecond: speed }),
  };
}

/** Returns finish reasons in choice order, without unfinished choices. */
export function finishReasons(choices: readonly { finishReason: string | null }[]): string[] {
  return choices.flatMap(({ finishReason }) => (finishReason === null ? [] : [finishReason]));
}

/** Returns `nothing` once every choice has a finish reason and the requested usage arrived. */
export function getRestOfChoices(
  { choices, usage }: { choices: readonly ChoiceEnd[] } & Pick<ResponseEnvelope, 'usage'>,
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

/** A list of numbers is a single tokenized prompt; otherwise, each item gets its own answer. */
function promptCount({ prompt }: JsonObject): number {
  const isList = Array.isArray(prompt) && prompt.some((item) => !isJsonNumber(item));
  return isList ? prompt.length : 1;
}
