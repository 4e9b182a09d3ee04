/** Sends a message of a conversation: the branch becomes a chat request, its answers new nodes. */
import { randomUUID } from 'node:crypto';
import type { SendInput, SendResult } from '../../shared/contract/conversations.ts';
import type { WrittenMessage } from '../../shared/conversation.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import type { JsonValue } from '../../shared/json.ts';
import { buildChatMessages } from '../../shared/operations/chat/branch-messages.ts';
import type { Engine } from '../runs/engine.ts';
import type { ConversationStore, NewMessage } from '../storage/conversation-store.ts';

/** Either the message, its answers and the run are all there afterwards, or none of them. */
export async function sendMessage(
  conversations: ConversationStore,
  engine: Pick<Engine, 'start'>,
  input: SendInput,
): Promise<SendResult> {
  const conversation = conversations.get(input.conversationId);
  const written = chainOf(input);
  const end = written.at(-1) ?? null;
  const branch = input.parentId === null ? [] : conversations.path(input.parentId);
  const path = [...branch, ...written];
  if (path.length === 0) throw new AppFailure(nothingToSend);

  const { sendReasoning } = conversation.options;
  const messages = buildChatMessages(conversation.systemMessage, path, { sendReasoning });
  const answers: NewMessage[] = [];
  const runId = await engine.start(
    {
      connectionId: input.connectionId,
      operation: 'chat',
      request: { ...input.request, messages },
      extraBody: input.extraBody,
      wireNames: input.wireNames,
      follow: input.follow,
    },
    {
      conversationId: conversation.id,
      beforeSending(id) {
        for (let index = 0; index < choiceCount(input.request.n); index += 1) {
          answers.push({
            ...newMessage(end?.id ?? input.parentId, { role: 'assistant', content: '' }),
            runId: id,
            choiceIndex: index,
          });
        }
        conversations.insert({
          conversationId: conversation.id,
          messages: [...written, ...answers],
          activeLeafId: answers[0]?.id ?? null,
        });
      },
    },
  );
  const answerIds = answers.map(({ id }) => id);
  const added = conversations.added(conversation.id, [
    ...written.map(({ id }) => id),
    ...answerIds,
  ]);
  return { runId, messageId: end?.id ?? null, answerIds, ...added };
}

/** What the user wrote, each message behind the one before. */
function chainOf({ parentId, earlier = [], message }: SendInput): NewMessage[] {
  const chain: NewMessage[] = [];
  for (const written of message === null ? earlier : [...earlier, message]) {
    chain.push(newMessage(chain.at(-1)?.id ?? parentId, written));
  }
  return chain;
}

/** Answers shown from the start; more than these appear when the run has ended. */
const MOST_AT_ONCE = 16;

function choiceCount(n: JsonValue | undefined): number {
  return typeof n === 'number' ? Math.min(n, MOST_AT_ONCE) : 1;
}

/** A node for what the user wrote. */
export function newMessage(parentId: string | null, message: WrittenMessage): NewMessage {
  return {
    id: randomUUID(),
    parentId,
    role: message.role,
    content: message.content,
    name: message.name ?? null,
    reasoning: null,
    toolCalls: [],
    toolCallId: message.toolCallId ?? null,
    audio: null,
    runId: null,
    choiceIndex: null,
  };
}

const nothingToSend = appError(
  'invalid-request',
  'There is no message to send yet.',
  'Write a message first.',
  { fields: [{ path: ['messages'], message: 'Write a message first.' }] },
);
