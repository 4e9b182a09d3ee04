/** Sends one turn of a chat to several columns, each on its own branch. */
import type { CompareInput, CompareResult } from '../../shared/contract/conversations.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { getContentText } from '../../shared/operations/chat/message.ts';
import { isFinished } from '../../shared/run.ts';
import type { CellAnswers } from '../comparisons/comparison-plan.ts';
import type { Comparisons } from '../comparisons/comparisons.ts';
import { createAnswers, createMessageChain, requestMessages } from './start-answer.ts';
import { deriveTitle } from './store/conversation-rows.ts';
import type { ConversationStore, NewMessage } from './store/conversation-store.ts';

/** Columns with the same parent share the user's message. */
export function compareTurn(
  conversations: ConversationStore,
  comparisons: Pick<Comparisons, 'addTurn'>,
  input: CompareInput,
): CompareResult {
  const { conversationId, variants, parents } = input;
  const getParent = (variantId: string) => parents[variantId] ?? null;
  const chains = new Map<string | null, NewMessage[]>();
  for (const parent of new Set(variants.map(({ id }) => getParent(id)))) {
    checkIsComplete(conversations, parent);
    chains.set(parent, createMessageChain(parent, input));
  }
  const getMessage = (variantId: string) => {
    const parent = getParent(variantId);
    const messageId = chains.get(parent)?.at(-1)?.id ?? parent;
    if (messageId === null) throw new Error('A chain without messages has a parent.');
    return messageId;
  };
  const written = [...chains.values()].flat();
  const text = input.message === null ? '' : getContentText(input.message.content, '\n\n');
  const { title } = conversations.head(conversationId);
  const { comparisonId, rowId } = comparisons.addTurn(
    {
      comparisonId: input.comparisonId,
      conversationId,
      title: text.trim() === '' ? title : deriveTitle(text),
      variants,
      asBefore: input.asBefore,
      sourceRunId: input.sourceRunId,
      overCap: input.overCap,
      cells: variants.map(({ id, request }) => ({
        variantId: id,
        messageId: getMessage(id),
        messages: requestMessages(
          conversations,
          conversationId,
          getParent(id),
          chains.get(getParent(id)) ?? [],
          request,
        ),
      })),
    },
    () => {
      const [first] = variants;
      const activeLeafId = first === undefined ? null : getMessage(first.id);
      conversations.insert({ conversationId, messages: written, activeLeafId });
    },
  );
  return {
    comparisonId,
    rowId,
    messageIds: Object.fromEntries(variants.map(({ id }) => [id, getMessage(id)])),
    ...conversations.getAdded(
      conversationId,
      written.map(({ id }) => id),
    ),
  };
}

export function prepareCellAnswers(
  conversations: ConversationStore,
  conversationId: string,
  messageId: string,
  request: JsonObject,
): CellAnswers {
  const answers: NewMessage[] = [];
  return {
    messages: requestMessages(conversations, conversationId, messageId, [], request),
    record(runId) {
      answers.push(...createAnswers(messageId, runId, request));
      const { activeLeafId } = conversations.head(conversationId);
      const isShown = activeLeafId === messageId;
      conversations.insert({
        conversationId,
        messages: answers,
        // Keep the user on the current branch.
        activeLeafId: isShown ? (answers[0]?.id ?? null) : activeLeafId,
      });
    },
    ids: () => answers.map(({ id }) => id),
  };
}

/** Rejects a streaming answer, because it would be sent incomplete. */
function checkIsComplete(conversations: ConversationStore, messageId: string | null): void {
  const run = messageId === null ? null : conversations.path(messageId).at(-1)?.run;
  if (run != null && !isFinished(run.status)) throw new UserFacingError(stillAnswering);
}

const stillAnswering = appError(
  'invalid-request',
  'Nothing was sent. Another answer is still in progress.',
  'Wait for it to finish, or stop it.',
);
