/** Sends a message of a conversation: it, its answers and the run are all there afterwards, or none of them. */
import type { SendInput, SendResult } from '../../shared/contract/conversations.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { buildChatMessages } from '../../shared/operations/chat/branch-messages.ts';
import type { Engine } from '../runs/engine.ts';
import type { ConversationStore, NewMessage } from '../storage/conversation-store.ts';
import { newAnswers, newMessageChain } from './new-messages.ts';

export async function sendMessage(
  conversations: ConversationStore,
  engine: Pick<Engine, 'start'>,
  input: SendInput,
): Promise<SendResult> {
  const { conversationId, parentId } = input;
  const written = newMessageChain(parentId, input);
  const end = written.at(-1)?.id ?? null;
  const messages = requestMessages(conversations, conversationId, parentId, written);
  const answers: NewMessage[] = [];
  const runId = await engine.start(
    {
      connectionId: input.connectionId,
      operation: 'chat',
      request: { ...input.request, messages },
      extraBody: input.extraBody,
      wireNames: input.wireNames,
      follow: input.follow,
      beyondCap: input.beyondCap,
      sourceRunId: input.sourceRunId,
    },
    {
      conversationId,
      record(id) {
        answers.push(...newAnswers(end ?? parentId, id, input.request));
        conversations.insert({
          conversationId,
          messages: [...written, ...answers],
          activeLeafId: answers[0]?.id ?? null,
        });
      },
    },
  );
  const answerIds = answers.map(({ id }) => id);
  const added = conversations.added(conversationId, [...written.map(({ id }) => id), ...answerIds]);
  return { runId, messageId: end, answerIds, ...added };
}

/** The `messages` of a request: the branch up to `parentId`, and `written` behind it. */
export function requestMessages(
  conversations: Pick<ConversationStore, 'head' | 'path'>,
  conversationId: string,
  parentId: string | null,
  written: readonly NewMessage[],
): JsonObject[] {
  const { systemMessage, options } = conversations.head(conversationId);
  const branch = parentId === null ? [] : conversations.path(parentId);
  const path = [...branch, ...written];
  if (path.length === 0) throw new UserFacingError(nothingToSend);
  return buildChatMessages(systemMessage, path, { sendReasoning: options.sendReasoning });
}

const nothingToSend = appError(
  'invalid-request',
  'There is no message to send yet.',
  'Enter a message first.',
  { fields: [{ path: ['messages'], message: 'Enter a message first.' }] },
);
