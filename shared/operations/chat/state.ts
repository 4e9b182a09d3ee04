/** Defines the state of a chat run as plain JSON, because patches carry the state to the page. */
import { emptyEnvelope, type ResponseEnvelope } from '../response/envelope.ts';
import type { ChoiceEnd } from '../response/finish-reason.ts';
import type { AnswerPart } from './answer-parts.ts';
import type { ThinkTags } from './think-tags.ts';

/** While the call is streaming, `arguments` may be incomplete JSON. */
export type ToolCallState = {
  id: string;
  name: string;
  arguments: string;
  /** The stream's index for the call; null if the gateway sent none. */
  index?: number | null;
};

export type AudioState = {
  id: string | null;
  /** ID of the media item that the main process created from the base64 data. */
  media: string | null;
  transcript: string;
  expiresAt: number | null;
};

export type ChatChoice = ChoiceEnd & {
  index: number;
  role: string;
  name?: string;
  content: string;
  /** Undefined if the answer has only text. */
  parts?: AnswerPart[];
  reasoning: string;
  refusal: string;
  toolCalls: ToolCallState[];
  think?: ThinkTags;
  /** Undefined in runs that an earlier version stored. */
  audio?: AudioState | null;
};

export type ChatState = ResponseEnvelope & {
  choices: ChatChoice[];
  systemFingerprint: string | null;
};

export const emptyChatState: ChatState = {
  ...emptyEnvelope,
  choices: [],
  systemFingerprint: null,
};
