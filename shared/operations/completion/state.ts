/** What the events of a text completion run fold into. JSON all through. */
import { emptyEnvelope, type ReplyEnvelope } from '../reply/envelope.ts';
import type { ChoiceEnd } from '../reply/finish-reason.ts';

export type CompletionChoice = ChoiceEnd & {
  index: number;
  text: string;
};

export type CompletionState = ReplyEnvelope & {
  /** By `index`, ascending. */
  choices: CompletionChoice[];
};

export const emptyCompletionState: CompletionState = { ...emptyEnvelope, choices: [] };
