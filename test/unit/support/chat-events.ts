/** Events of a streamed chat reply, and their fold. */
import { chatOperation } from '../../../shared/operations/chat/chat.ts';
import type { ChatState } from '../../../shared/operations/chat/state.ts';
import type { RunEventBody } from '../../../shared/run.ts';
import { chunk, foldAll } from './fold-events.ts';

export function fold(...events: RunEventBody[]): ChatState {
  return foldAll(chatOperation, events);
}

export function delta(piece: unknown, more: object = {}): RunEventBody {
  return chunk({ choices: [{ index: 0, delta: piece, finish_reason: null, ...more }] });
}

/** The last piece, with its finish reason. */
export function last(reason: unknown): RunEventBody {
  return chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
}

export const done = chunk('[DONE]');
