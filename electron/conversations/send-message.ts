/** Adds a message, its answers and the run atomically. */
import { randomUUID } from 'node:crypto';
import type { SendInput, SendResult } from '../../shared/contract/conversations.ts';
import type { ConversationOptions, WrittenMessage } from '../../shared/conversation.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import type { JsonObject } from '../../shared/json.ts';
import { buildChatMessages } from '../../shared/operations/chat/history.ts';
import type { Engine } from '../runs/engine.ts';
import type { ConversationStore, NewMessage } from '../storage/conversation-store.ts';

export async function sendMessage(
  conversations: ConversationStore,
  engine: Pick<Engine, 'start'>,
  input: SendInput,
  /** Called in the transaction that records the run. */
  onRecord?: (runId: string) => void,
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
        onRecord?.(id);
      },
    },
  );
  const answerIds = answers.map(({ id }) => id);
  const added = conversations.added(conversationId, [...written.map(({ id }) => id), ...answerIds]);
  return { runId, messageId: end, answerIds, ...added };
}

/** Returns a request's `messages`: the branch up to `parentId`, followed by `written`. */
export function requestMessages(
  conversations: Pick<ConversationStore, 'head' | 'path'>,
  conversationId: string,
  parentId: string | null,
  written: readonly NewMessage[],
): JsonObject[] {
  return branchMessages(conversations, conversations.head(conversationId), parentId, written);
}

interface BranchSettings {
  systemMessage: string;
  options: Pick<ConversationOptions, 'providerFields'>;
}

/** Like `requestMessages`, but with the given settings instead of the stored ones. */
export function branchMessages(
  conversations: Pick<ConversationStore, 'path'>,
  { systemMessage, options: { providerFields } }: BranchSettings,
  parentId: string | null,
  written: readonly NewMessage[],
): JsonObject[] {
  const branch = parentId === null ? [] : conversations.path(parentId);
  const path = [...branch, ...written];
  if (path.length === 0) throw new UserFacingError(nothingToSend);
  return buildChatMessages(systemMessage, path, { providerFields, now: Date.now() / 1000 });
}

/** Number of answers shown from the start; any others appear when the run ends. */
const MAX_AT_ONCE = 16;

export function newMessage(parentId: string | null, message: WrittenMessage): NewMessage {
  return {
    id: randomUUID(),
    parentId,
    role: message.role,
    content: message.content,
    name: message.name ?? null,
    reasoning: message.reasoning ?? null,
    reasoningTagged: false,
    reasoningEncrypted: false,
    toolCalls: message.toolCalls ?? [],
    toolCallId: message.toolCallId ?? null,
    audio: null,
    sources: [],
    wire: null,
    runId: null,
    importedRun: null,
    choiceIndex: null,
  };
}

export function newMessageChain(
  parentId: string | null,
  { earlier = [], message }: Pick<SendInput, 'earlier' | 'message'>,
): NewMessage[] {
  const chain: NewMessage[] = [];
  for (const written of message === null ? earlier : [...earlier, message]) {
    chain.push(newMessage(chain.at(-1)?.id ?? parentId, written));
  }
  return chain;
}

export function newAnswers(
  parentId: string | null,
  runId: string,
  { n }: JsonObject,
): NewMessage[] {
  const count = Math.min(getNumber(n) ?? 1, MAX_AT_ONCE);
  return Array.from({ length: count }, (_, choiceIndex) => ({
    ...newMessage(parentId, { role: 'assistant', content: '' }),
    runId,
    choiceIndex,
  }));
}

const nothingToSend = appError('invalid-request', 'Nothing to send.', 'Enter a message first.', {
  fields: [{ path: ['messages'], message: 'Enter a message first.' }],
});
