/** Keeps what the fake main process of Chat stores: conversations, runs and comparisons. */
import { ORPCError } from '@orpc/client';
import { createChanges } from '../../electron/base/changes.ts';
import type { Cell, Comparison } from '../../shared/comparison.ts';
import type { ComparisonNotes } from '../../shared/comparison-notes.ts';
import type { AddedMessages } from '../../shared/contract/conversations.ts';
import {
  type Conversation,
  defaultConversationOptions,
  type TreeMessage,
  type WrittenMessage,
} from '../../shared/conversation.ts';
import type { JsonObject } from '../../shared/json.ts';
import { emptyChatState } from '../../shared/operations/chat/state.ts';
import type { RunSummary } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runSummary } from '../fixtures/run-view.ts';
import { treeMessage } from '../fixtures/tree-message.ts';

let count = 0;

/** Returns a number that grows, in place of the time. */
export function countUp(): number {
  count += 1;
  return count;
}

export const nextId = (kind: string) => `${kind}-${countUp()}`;

export const conversations = new Map<string, Conversation>();
/** Requests by run ID, without messages. */
export const requests = new Map<string, JsonObject>();
export const runs = new Map<string, { view: RunView<'chat'>; wake: (() => void)[] }>();

export interface FakeComparison {
  comparison: Comparison;
  cells: Cell[];
  notes: ComparisonNotes;
  wake: (() => void)[];
}
export const comparisons = new Map<string, FakeComparison>();

export const changes = createChanges();
export const changed = (id: string) => changes.announce('conversations', id);

/** Functions that restore deleted items, by deletion ID. */
export const deleted = new Map<string, () => void>();

export function recordDeletion(bringBack: () => void): string {
  const deletionId = nextId('deletion');
  deleted.set(deletionId, bringBack);
  return deletionId;
}

export function makeMessage(fields: Partial<TreeMessage>): TreeMessage {
  return treeMessage({ id: nextId('message'), createdAt: count, ...fields });
}

export function makeRun(fields: Partial<RunSummary> = {}): RunSummary {
  return runSummary({
    id: nextId('run'),
    operation: 'chat',
    model: 'demo-echo',
    status: 'succeeded',
    createdAt: 0,
    startedAt: 0,
    httpStatus: 200,
    preview: '',
    ...fields,
  });
}

export function addConversation(messages: TreeMessage[], fields: Partial<Conversation> = {}) {
  const conversation: Conversation = {
    id: nextId('conversation'),
    title: 'A talk',
    titled: false,
    createdAt: 0,
    updatedAt: 0,
    messageCount: messages.length,
    match: null,
    turns: [],
    systemMessage: '',
    messages,
    pinned: false,
    archived: false,
    folder: null,
    options: defaultConversationOptions,
    activeLeafId: messages.at(-1)?.id ?? null,
    complete: true,
    revision: '',
    lastRunStatus: messages.findLast(({ run }) => run !== null)?.run?.status ?? null,
    ...fields,
  };
  conversations.set(conversation.id, conversation);
  return conversation;
}

export function toTreeMessage(parentId: string | null, written: WrittenMessage) {
  const { role, content, name, toolCallId, reasoning, toolCalls } = written;
  return makeMessage({
    parentId,
    role,
    content,
    name: name ?? null,
    toolCallId: toolCallId ?? null,
    reasoning: reasoning ?? null,
    toolCalls: toolCalls ?? [],
  });
}

export function toRunView(run: RunSummary): RunView<'chat'> {
  return { ...run, operation: 'chat', seq: 0, state: emptyChatState };
}

/** Throws the same error as the real procedure if the conversation does not exist. */
export function getConversation(id: string): Conversation {
  const found = conversations.get(id);
  if (found === undefined) {
    const data = {
      kind: 'not-found',
      message: 'This conversation no longer exists.',
      nextStep: '',
    };
    throw new ORPCError('NOT_FOUND', { data });
  }
  return found;
}

export function insertMessages(
  id: string,
  messages: TreeMessage[],
  activeLeafId: string | undefined,
): AddedMessages {
  const before = getConversation(id);
  conversations.set(id, {
    ...before,
    messages: [...before.messages, ...messages],
    activeLeafId: activeLeafId ?? before.activeLeafId,
  });
  changed(id);
  const { systemMessage: _system, options: _options, ...conversation } = getConversation(id);
  return { conversation, messages, activeLeafId: getConversation(id).activeLeafId };
}
