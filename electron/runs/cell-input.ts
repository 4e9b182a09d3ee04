/** What a cell of a comparison would send now: in a chat, with the messages of its branch. */
import type { Comparison } from '../../shared/comparison.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { StoredCell } from '../storage/comparison-store.ts';
import { getInput } from './comparison-plan.ts';

/** How a cell of a chat is sent, and where its answers go. */
export interface CellAnswers {
  messages: JsonObject[];
  /** Part of the transaction that records the run. */
  record(runId: string): void;
  /** IDs of what was recorded. */
  ids(): string[];
}

/** The part of `Conversations` that comparisons use. */
export interface CellConversations {
  cellAnswers(conversationId: string, messageId: string, request: JsonObject): CellAnswers;
  answersAdded(conversationId: string, messageIds: readonly string[]): void;
}

interface CellInput {
  input: StartInput;
  /** Where its answers go; null for what is not a chat. */
  chat: { conversationId: string; answers: CellAnswers } | null;
}

/** Throws a `UserFacingError` if it answers a message that is gone. */
export function cellInput(
  conversations: () => Pick<CellConversations, 'cellAnswers'>,
  { comparison }: { comparison: Comparison },
  cell: StoredCell,
): CellInput {
  const input = getInput(comparison, cell);
  const { conversationId } = comparison;
  if (conversationId === null || cell.messageId === null) return { input, chat: null };
  const answers = conversations().cellAnswers(conversationId, cell.messageId, input.request);
  return {
    input: { ...input, request: { ...input.request, messages: answers.messages } },
    chat: { conversationId, answers },
  };
}
