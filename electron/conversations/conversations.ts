/** Conversations for every caller: what is sent becomes a run, what changes is announced, what is removed no longer runs. */
import type {
  AddedMessages,
  CompareInput,
  CompareResult,
  SendInput,
  SendResult,
} from '../../shared/contract/conversations.ts';
import type {
  Conversation,
  ConversationSummary,
  TreeMessage,
  WrittenMessage,
} from '../../shared/conversation.ts';
import { contentWith } from '../../shared/operations/chat/answer-parts.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { CellConversations } from '../runs/cell-input.ts';
import type { Comparisons } from '../runs/comparisons.ts';
import type { Engine } from '../runs/engine.ts';
import type {
  ConversationFields,
  ConversationStore,
  FinishedAnswer,
  NewConversation,
} from '../storage/conversation-store.ts';
import { cellAnswers, compareTurn } from './compare-turn.ts';
import { newMessage } from './new-messages.ts';
import { createRevisions } from './revisions.ts';
import { sendMessage } from './send-message.ts';

/** Of the shown branch: more than any window shows at once. The page asks for the others. */
const FIRST_SENT = 40;

/** For what does not exist, every method throws a `UserFacingError` of kind `not-found`. */
export interface Conversations extends CellConversations {
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
  /** Announced with what is added first. */
  create(fields?: NewConversation): Conversation;
  /** A title given here is the user's own and stays. */
  update(id: string, fields: ConversationFields): ConversationSummary;
  /** Stops the runs that answer there. Returns the ID with which the deletion can be undone for a while. */
  remove(id: string): string;
  /** Either the message, its answers and the run are all there afterwards, or none of them. */
  send(input: SendInput): Promise<SendResult>;
  /** Either the messages and the cells of all columns are there afterwards, or nothing. */
  compare(input: CompareInput): CompareResult;
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
  comparisons: () => Pick<Comparisons, 'addTurn' | 'leave'>;
  changes: Pick<ChangeEmitter, 'announce' | 'listen'>;
}): Conversations {
  const { store, engine, comparisons, changes } = options;
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

    create(fields) {
      const conversation = store.create(fields);
      return { ...conversation, complete: true, revision: revisions.current(conversation.id) };
    },

    update(id, fields) {
      const summary = store.update(id, fields);
      changed(id, []);
      return summary;
    },

    remove(id) {
      comparisons().leave(id);
      const { deletionId, runIds } = store.remove(id);
      cancelAll(runIds);
      changed(id);
      changes.announce('comparisons');
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

    compare(input) {
      const result = compareTurn(store, comparisons(), input);
      changed(
        input.conversationId,
        result.messages.map(({ id }) => id),
      );
      return result;
    },

    cellAnswers: (conversationId, messageId, request) =>
      cellAnswers(store, conversationId, messageId, request),
    answersAdded: changed,

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
