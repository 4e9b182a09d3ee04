/** What a cell of a comparison would send now: in a chat, with the messages of its branch. */
import type { StartInput } from '../../shared/contract/runs.ts';
import type { CellAnswers } from '../conversations/compare-turn.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { StoredCell } from '../storage/comparison-store.ts';
import { getInput } from './comparison-plan.ts';
import type { LiveComparisonState } from './live-comparisons.ts';

interface CellInput {
  input: StartInput;
  /** Where its answers go; null for what is not a chat. */
  chat: { conversationId: string; answers: CellAnswers } | null;
}

/** Throws a `UserFacingError` if it answers a message that is gone. */
export function cellInput(
  conversations: () => Pick<Conversations, 'cellAnswers'>,
  { comparison }: Pick<LiveComparisonState, 'comparison'>,
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
