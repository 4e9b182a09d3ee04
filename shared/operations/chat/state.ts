/** The state of a chat run. It is plain JSON because it reaches the page as patches. */
import { emptyEnvelope, type ReplyEnvelope } from '../response/envelope.ts';
import type { ChoiceEnd } from '../response/finish-reason.ts';
import type { AnswerPart } from './answer-parts.ts';
import type { ThinkTags } from './think-tags.ts';

/** A call as far as it has arrived; `arguments` may still be cut anywhere. */
export type ToolCallState = {
  id: string;
  name: string;
  arguments: string;
  /** The number by which the stream addressed it; null if the gateway gave none. */
  index?: number | null;
};

/** A spoken answer as far as it has arrived. */
export type AudioState = {
  id: string | null;
  /** The id of the stored sound; main put it where the gateway sent base64. */
  media: string | null;
  transcript: string;
  /** Unix seconds. */
  expiresAt: number | null;
};

export type ChatChoice = ChoiceEnd & {
  index: number;
  role: string;
  /** The sender's name; missing if the gateway sent none. */
  name?: string;
  content: string;
  /** Missing if the answer is text alone. */
  parts?: AnswerPart[];
  reasoning: string;
  refusal: string;
  toolCalls: ToolCallState[];
  think?: ThinkTags;
  /** Missing in runs of an earlier Gatehouse. */
  audio?: AudioState | null;
};

export type ChatState = ReplyEnvelope & {
  /** By `index`, ascending. */
  choices: ChatChoice[];
  systemFingerprint: string | null;
};

export const emptyChatState: ChatState = {
  ...emptyEnvelope,
  choices: [],
  systemFingerprint: null,
};
