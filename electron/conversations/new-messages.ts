/** Nodes that are about to be added to a conversation: what the user wrote, and the answers of a run. */
import { randomUUID } from 'node:crypto';
import type { SendInput } from '../../shared/contract/conversations.ts';
import type { WrittenMessage } from '../../shared/conversation.ts';
import { getNumber } from '../../shared/exact-number.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { NewMessage } from '../storage/conversation-store.ts';

/** Answers shown from the start; more than these appear when the run has ended. */
const MAX_AT_ONCE = 16;

/** A node for what the user wrote. */
export function newMessage(parentId: string | null, message: WrittenMessage): NewMessage {
  return {
    id: randomUUID(),
    parentId,
    role: message.role,
    content: message.content,
    name: message.name ?? null,
    reasoning: message.reasoning ?? null,
    reasoningTagged: false,
    toolCalls: message.toolCalls ?? [],
    toolCallId: message.toolCallId ?? null,
    audio: null,
    runId: null,
    choiceIndex: null,
  };
}

/** What the user wrote, each message behind the one before. */
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

/** One for each choice that the request asks for, empty until the run has ended. */
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
