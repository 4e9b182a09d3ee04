/** Defines the state of a chat run as plain JSON, because patches carry the state to the page. */
import type { JsonObject } from '../../json.ts';
import { emptyEnvelope, type ResponseEnvelope } from '../response/envelope.ts';
import type { ChoiceEnd } from '../response/finish-reason.ts';
import type { LogprobPieces } from '../response/token-probabilities.ts';
import type { GrowingTexts } from './merge-delta.ts';

export type ChatChoice = ChoiceEnd & {
  index: number;
  /** The message as a response without streaming would have it; view.ts reads the message. */
  message: JsonObject;
  /** The other fields of the choice, such as `matched_stop`. */
  other: JsonObject;
  logprobs?: LogprobPieces;
  /** IDs of the images that came in the text as data URLs. */
  storedImages?: string[];
  /** No more deltas follow. */
  ended: boolean;
  growing: GrowingTexts;
};

export type ChatState = ResponseEnvelope & {
  /** Sorted by `index`. */
  choices: ChatChoice[];
  systemFingerprint: string | null;
  /** The other fields of the response, such as `citations`. */
  other: JsonObject;
};

export const emptyChatState: ChatState = {
  ...emptyEnvelope,
  choices: [],
  systemFingerprint: null,
  other: {},
};
