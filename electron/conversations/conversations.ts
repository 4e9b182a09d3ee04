/** Conversations for every caller: what is sent becomes a run, what changes is announced, what is removed no longer runs. */
import { randomUUID } from 'node:crypto';

import type { AddedMessages, SendInput, SendResult } from '../../shared/contract/conversations.ts';
import type {
  Conversation,
  ConversationSummary,
  TreeMessage,
  WrittenMessage,
} from '../../shared/conversation.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import { numberOf } from '../../shared/exact-number.ts';
import type { JsonValue } from '../../shared/json.ts';
import { contentWith } from '../../shared/operations/chat/answer-parts.ts';
import { buildChatMessages } from '../../shared/operations/chat/branch-messages.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { Changes } from '../changes.ts';
import type { Engine } from '../runs/engine.ts';
import type {
  ConversationFields,
  ConversationStore,
  FinishedAnswer,
  NewMessage,
} from '../storage/conversation-store.ts';
import { createRevisions } from './revisions.ts';

/** Of the shown branch: more than any window shows at once. The page asks for the others. */
const FIRST_SENT = 40;

/** For what does not exist, every method throws an `AppFailure` of kind `not-found`. */
export interface Conversations {
  /** Most recently changed first; an empty search finds all. */
  list(
    query: { search: string; limit: number },
    signal?: AbortSignal,
  ): Promise<ConversationSummary[]>;
  /** The end of the shown branch; with `since`, an earlier revision, only what has changed, where that is known. */
  get(id: string, since?: string | null): Conversation;
  /** All messages, newest first; `before` is the `next` of the page before, null for the first. */
  messages(
    id: string,
    page: { before: number | null; limit: number },
  ): { messages: TreeMessage[]; next: number | null; revision: string };
  create(): Conversation;
  /** A title given here is the user's own and stays. */
  update(id: string, fields: ConversationFields): ConversationSummary;
  /** Stops the runs that answer there. Returns the ID with which the deletion can be undone for a while. */
  remove(id: string): string;
  /** Either the message, its answers and the run are all there afterwards, or none of them. */
  send(input: SendInput): Promise<SendResult>;
  /** Adds a message without asking for an answer. */
  addMessage(
    conversationId: string,
    parentId: string | null,
    message: WrittenMessage,
  ): AddedMessages;
  /** With everything that follows; stops runs whose answers are gone. Returns what `remove` returns. */
  removeMessage(conversationId: string, messageId: string): string;
  /** Copies a finished run's answers into its conversation, if it has one. */
  settle(run: RunView): void;
}

export function createConversations(options: {
  store: ConversationStore;
  engine: Pick<Engine, 'start' | 'cancel'>;
  changes: Pick<Changes, 'announce' | 'listen'>;
}): Conversations {
  const { store, engine, changes } = options;
  const revisions = createRevisions();

  changes.listen(({ topic, id }, messageIds) => {
    if (topic !== 'conversations' || id === null) return;
    if (messageIds === null) revisions.reset(id);
    else revisions.add(id, messageIds);
  });

  /** `messageIds`: those that were added or changed; unknown if omitted. */
  function changed(id: string, messageIds?: readonly string[]): void {
    changes.announce('conversations', id, messageIds);
  }

  function cancelAll(runIds: string[]): void {
    for (const runId of runIds) void engine.cancel(runId);
  }

  return {
    async list({ search, limit }, signal) {
      const words = search.trim();
      return words === '' ? store.list(limit) : store.search({ search: words, limit }, signal);
    },
    get(id, since = null) {
      // First: reading it writes answers that waited, and they are part of what has changed.
      const head = store.head(id);
      const changedIds = since === null ? null : revisions.since(id, since);
      const revision = revisions.current(id);
      if (changedIds !== null) {
        const { messages } = store.added(id, changedIds);
        return { ...head, messages, complete: false, revision };
      }
      const conversation = store.get(id, FIRST_SENT);
      const complete = conversation.messages.length === conversation.messageCount;
      return { ...conversation, complete, revision };
    },

    messages: (id, page) => ({ ...store.messages(id, page), revision: revisions.current(id) }),

    create() {
      const conversation = store.create();
      changed(conversation.id);
      return { ...conversation, complete: true, revision: revisions.current(conversation.id) };
    },

    update(id, fields) {
      const summary = store.update(id, fields);
      changed(id, []);
      return summary;
    },

    remove(id) {
      const { deletionId, runIds } = store.remove(id);
      cancelAll(runIds);
      changed(id);
      return deletionId;
    },

    async send(input) {
      const result = await sendMessage(store, engine, input);
      changed(
        input.conversationId,
        result.messages.map(({ id }) => id),
      );
      return result;
    },

    addMessage(conversationId, parentId, written) {
      const message = newMessage(parentId, written);
      store.insert({ conversationId, messages: [message], activeLeafId: message.id });
      changed(conversationId, [message.id]);
      return store.added(conversationId, [message.id]);
    },

    removeMessage(conversationId, messageId) {
      const { deletionId, runIds } = store.removeMessage(conversationId, messageId);
      cancelAll(runIds);
      changed(conversationId);
      return deletionId;
    },

    settle(run) {
      if (run.conversationId === null || run.operation !== 'chat') return;
      store.settle(run.id, finishedAnswers(run.state));
      changed(run.conversationId, store.answerIds(run.id));
    },
  };
}

/** One for each choice of the run. */
function finishedAnswers({ choices }: ChatState): FinishedAnswer[] {
  return choices.map((choice) => ({
    choiceIndex: choice.index,
    content: contentWith(choice.content, choice.parts),
    name: choice.name ?? null,
    reasoning: choice.reasoning === '' ? null : choice.reasoning,
    reasoningTagged: choice.think?.tagged ?? false,
    toolCalls: choice.toolCalls.map((call, index) => ({
      // Without an id its result could not say which call it answers.
      id: call.id === '' ? `call_${index}` : call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
    audio: choice.audio ?? null,
  }));
}

/** Either the message, its answers and the run are all there afterwards, or none of them. */
async function sendMessage(
  conversations: ConversationStore,
  engine: Pick<Engine, 'start'>,
  input: SendInput,
): Promise<SendResult> {
  const conversation = conversations.head(input.conversationId);
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
      record(id) {
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
  return Math.min(numberOf(n) ?? 1, MOST_AT_ONCE);
}

/** A node for what the user wrote. */
function newMessage(parentId: string | null, message: WrittenMessage): NewMessage {
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

const nothingToSend = appError(
  'invalid-request',
  'There is no message to send yet.',
  'Enter a message first.',
  { fields: [{ path: ['messages'], message: 'Enter a message first.' }] },
);
