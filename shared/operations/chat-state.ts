/** What the events of a chat run fold into. JSON all through: it travels to the page as patches. */
import type { JsonObject } from '../json.ts';
import type { Usage } from './usage.ts';

/** A call as far as it has arrived; `arguments` may still be cut anywhere. */
export type ToolCallState = {
  id: string;
  name: string;
  arguments: string;
};

export type ChatChoice = {
  index: number;
  role: string;
  content: string;
  reasoning: string;
  refusal: string;
  toolCalls: ToolCallState[];
  /** As the gateway wrote it, known or not; null until it came. */
  finishReason: string | null;
};

export type ChatState = {
  /** By `index`, ascending. */
  choices: ChatChoice[];
  id: string | null;
  model: string | null;
  created: number | null;
  systemFingerprint: string | null;
  usage: Usage | null;
  /** `[DONE]` was seen. */
  done: boolean;
  /** What was odd about the reply, each once, in words for the user. */
  warnings: string[];
  /** An error object that came inside a 200 reply. */
  streamError: JsonObject | null;
};

export const emptyChatState: ChatState = {
  choices: [],
  id: null,
  model: null,
  created: null,
  systemFingerprint: null,
  usage: null,
  done: false,
  warnings: [],
  streamError: null,
};
