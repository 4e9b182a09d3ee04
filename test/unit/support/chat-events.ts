/** Makes events of a streamed chat response and folds them. */

import { type AnswerView, viewAnswer } from '../../../shared/operations/chat/answer-view.ts';
import { chatOperation } from '../../../shared/operations/chat/chat.ts';
import type { ChatChoice, ChatState } from '../../../shared/operations/chat/state.ts';
import { addWarnings } from '../../../shared/operations/response/values.ts';
import type { RunEventBody } from '../../../shared/run.ts';
import { chunk, foldAll } from './fold-events.ts';

export type ViewedState = Omit<ChatState, 'choices'> & { choices: (ChatChoice & AnswerView)[] };

/** Folds events, and adds the view of each choice to the choice and its warnings to the state. */
export function fold(...events: RunEventBody[]): ViewedState {
  const state = foldAll(chatOperation, events);
  const choices = state.choices.map((choice) => ({ ...choice, ...viewAnswer(choice) }));
  return {
    ...addWarnings(
      state,
      choices.flatMap(({ warnings }) => warnings),
    ),
    choices,
  };
}

export function delta(piece: unknown, more: object = {}): RunEventBody {
  return chunk({ choices: [{ index: 0, delta: piece, finish_reason: null, ...more }] });
}

/** Makes the last chunk, which carries the finish reason. */
export function last(reason: unknown): RunEventBody {
  return chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
}

export const done = chunk('[DONE]');
