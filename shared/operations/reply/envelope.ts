/** What replies of chat and text completion have in common around their choices. */
import type { JsonObject } from '../../json.ts';
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
