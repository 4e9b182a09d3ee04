/** What the events of a text completion run fold into. JSON all through. */
import { emptyEnvelope, type ReplyEnvelope } from '../reply/envelope.ts';

export type CompletionChoice = {
  index: number;
  text: string;
  /** As the gateway wrote it, known or not; null until received. */
  finishReason: string | null;
};

export type CompletionState = ReplyEnvelope & {
  /** By `index`, ascending. */
  choices: CompletionChoice[];
};

export const emptyCompletionState: CompletionState = { ...emptyEnvelope, choices: [] };
