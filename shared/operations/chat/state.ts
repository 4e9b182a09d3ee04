/** Defines the state of a chat run as plain JSON, because patches send it to the page. */
import type { JsonObject } from '../../json.ts';
import { emptyEnvelope, type ResponseEnvelope } from '../response/envelope.ts';
import type { ChoiceEnd } from '../response/finish-reason.ts';
import type { LogprobPieces } from '../response/token-probabilities.ts';
import type { GrowingTexts } from './merge-delta.ts';

export type ChatChoice = ChoiceEnd & {
  index: number;
  /** The message as a non-streamed response would contain it; answer-view.ts reads it. */
  message: JsonObject;
  /** Other fields of the choice, such as `matched_stop`. */
  other: JsonObject;
  logprobs?: LogprobPieces;
  /** Media IDs of images that arrived as data URLs in the text. */
  storedImages?: string[];
  /** True once no more deltas follow. */
  ended: boolean;
  growing: GrowingTexts;
};

export type ChatState = ResponseEnvelope & {
  /** Sorted by `index`. */
  choices: ChatChoice[];
  systemFingerprint: string | null;
  /** Other fields of the response, such as `citations`. */
  other: JsonObject;
};

export const emptyChatState: ChatState = {
  ...emptyEnvelope,
  choices: [],
  systemFingerprint: null,
  other: {},
};
