/** Sends messages as runs, announces changes, and stops runs of deleted answers. */
import type {
  AddedMessages,
  CallDecision,
  CompareInput,
  CompareResult,
  NextRequestInput,
  QueueInput,
  SendInput,
  SendResult,
  SentMessagesInput,
} from '../../shared/contract/conversations.ts';
import type {
  Conversation,
  ConversationSummary,
  TreeMessage,
  WrittenMessage,
} from '../../shared/conversation.ts';
import { getConversationFormId, isChatSetting } from '../../shared/form-fields.ts';
import type { JsonObject } from '../../shared/json.ts';
import { toAnswerContent } from '../../shared/operations/chat/answer-parts.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { CHAT_COMPLETIONS, toStoredCalls } from '../../shared/operations/chat/history.ts';
import { readSources } from '../../shared/operations/chat/sources.ts';
import type { SentRequest } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { SavedTool } from '../../shared/saved-items.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { CellConversations } from '../comparisons/comparison-plan.ts';
import type { Comparisons } from '../comparisons/comparisons.ts';
import type { Engine } from '../runs/engine.ts';
import type { PreviewInput } from '../runs/preview-request.ts';
import type { Forms } from '../storage/forms.ts';
import type { CallAnswers } from '../tools/answer-call.ts';
import { compareTurn, prepareCellAnswers } from './compare-turn.ts';
import type { ConversationFiles } from './files/conversation-files.ts';
import { createMessageQueue, type QueuedId } from './message-queue.ts';
import { createRevisions } from './revisions.ts';
import {
  createMessage,
  createMessageChain,
  type DescribeTarget,
  type SendOptions,
  startAnswer,
  writeBranchMessages,
} from './start-answer.ts';
import type { ListedConversations, Placement } from './store/conversation-rows.ts';
import type {
  ConversationFields,
  ConversationStore,
  FinishedAnswer,
  NewConversation,
} from './store/conversation-store.ts';
import type { CopiedPart } from './store/copy-conversation.ts';
import { createTurns } from './turns.ts';

/** No window shows more messages than this; the page requests the rest as needed. */
const FIRST_SENT = 40;

/** Methods throw a `not-found` `UserFacingError` if the conversation or message doesn't exist. */
export interface Conversations extends CellConversations, ConversationFiles {
  /**
   * Lists conversations that match the query. If `search` has words, it replaces all filters, and a
   * failure rejects like the searcher.
   */
  list(
    query: { search: string } & ListedConversations,
    signal?: AbortSignal,
  ): Promise<ConversationSummary[]>;
  /**
   * Returns the end of the active branch, or only the changes if revision `since` is still known.
   */
  get(id: string, since?: string | null): Conversation;
  /**
   * Returns messages newest first; `before` is `next` of the previous page, or null for the first
   * page.
   */
  messages(
    id: string,
    page: { before: number | null; limit: number },
  ): { messages: TreeMessage[]; next: number | null; revision: string };
  create(fields?: NewConversation): Conversation;
  /** Changes the given fields; a title counts as chosen by the user. */
  update(id: string, fields: ConversationFields): ConversationSummary;
  /** Pins, archives or moves conversations to a folder. */
  place(ids: readonly string[], placement: Placement): void;
  /** Renames the folder; null removes the folder and keeps its conversations. */
  renameFolder(folder: string, name: string | null): void;
  /** Copies all branches, or the branch ending at `messageId`, with the chat's settings. */
  duplicate(part: CopiedPart): ConversationSummary;
  /** Deletes the conversation, stops its runs and returns an ID for undo. */
  remove(id: string): string;
  /** Adds the messages and starts their answer; if this rejects, nothing is recorded. */
  send(input: SendInput): Promise<SendResult>;
  /**
   * Answers the open calls at the end of the branch and continues with a new turn's request limit.
   * Throws a `UserFacingError` if there are none or they are being answered.
   */
  continueTurn(conversationId: string, leafId: string, overCap: boolean): void;
  /** Ends the turns of the conversation; results that have arrived are kept. */
  stopTurns(conversationId: string): void;
  /**
   * Applies the user's decision about a call that awaits approval; ignores other calls. An `always`
   * or `never` decision also applies to the tool's other open calls.
   */
  decideCall(conversationId: string, answerId: string, place: number, decision: CallDecision): void;
  /** Counts turns whose tools are running; requests are counted as runs. */
  workingCount(): number;
  /** Ends all turns. */
  close(): void;
  /** Adds a message to the turn of a run; the turn sends it when its last answer has succeeded. */
  queue(input: QueueInput): Promise<void>;
  /**
   * Ends the edit, and sends the message if the answer has ended since. A null message keeps the
   * old text.
   */
  editQueued(edited: QueuedId & { message: WrittenMessage | null }): void;
  /** Sends a queued message at once, after the message `parentId`. */
  sendQueued(queued: QueuedId & { parentId: string | null; overCap: boolean }): Promise<SendResult>;
  /** Sends the messages to each variant as a comparison. */
  compare(input: CompareInput): CompareResult;
  /** Adds a message that isn't sent, and selects its branch. */
  addMessage(
    conversationId: string,
    parentId: string | null,
    written: WrittenMessage,
  ): AddedMessages;
  /** Deletes the message and its replies, stops their runs and returns an ID for undo. */
  removeMessage(conversationId: string, messageId: string): Promise<string>;
  /** Returns the request that `send` would make for the input. */
  nextRequest(input: NextRequestInput): Promise<SentRequest>;
  /** Asks the gateway for the input tokens of that request; throws if it doesn't count them. */
  countTokens(input: NextRequestInput, signal: AbortSignal | undefined): Promise<number>;
  /** Returns the messages up to `parentId`, without the system message. */
  sentMessages(input: SentMessagesInput): JsonObject[];
  /**
   * Stores the answers of a run that has ended, then continues its turn. Ignores runs that don't belong to a conversation.
   */
  settle(run: RunView): void;
}

export function createConversations(options: {
  store: ConversationStore;
  engine: Pick<Engine, 'start' | 'cancel' | 'preview' | 'countTokens' | 'view' | 'read'>;
  comparisons: () => Pick<Comparisons, 'addTurn' | 'leave'>;
  changes: Pick<ChangeEmitter, 'announce' | 'listen'>;
  forms: Pick<Forms, 'copy' | 'get' | 'change'>;
  now: () => number;
  reportDefect: (cause: unknown) => void;
  describeTarget: DescribeTarget;
  files: ConversationFiles;
  listTools: () => readonly SavedTool[];
  answers: Omit<CallAnswers, 'tryAnswer'>;
}): Conversations {
  const { store, engine, comparisons, changes, forms, files } = options;
  const revisions = createRevisions();
  const turns = createTurns({
    ...options,
    queue: createMessageQueue(options),
    send: (input, onRecord) => send(input, { onRecord, keepsBranch: true }),
    changed: announceChange,
  });

  changes.listen(({ topic, id }, messageIds) => {
    if (topic !== 'conversations' || id === null) return;
    if (messageIds === null) revisions.reset(id);
    else revisions.add(id, messageIds);
  });

  /** If `messageIds` is omitted, any message may have changed. */
  function announceChange(id: string, messageIds?: readonly string[]): void {
    changes.announce('conversations', id, messageIds);
  }

  function writeNext(input: NextRequestInput): PreviewInput {
    const { parentId, providerFields, systemMessage, request } = input;
    const written = createMessageChain(parentId, input);
    const settings = { systemMessage, options: { providerFields }, request };
    const messages = writeBranchMessages(store, settings, parentId, written);
    const { connectionId, extraBody, wireNames } = input;
    return {
      connectionId,
      operation: 'chat',
      extraBody,
      wireNames,
      request: { ...request, messages },
    };
  }

  function cancelAll(runIds: string[]): void {
    for (const runId of runIds) void engine.cancel(runId);
  }

  async function send(input: SendInput, sendOptions: SendOptions = {}): Promise<SendResult> {
    const result = await startAnswer(store, engine, input, options.describeTarget, sendOptions);
    announceChange(
      input.conversationId,
      result.messages.map(({ id }) => id),
    );
    return result;
  }

  const cells: CellConversations = {
    cellAnswers: (conversationId, messageId, request) =>
      prepareCellAnswers(store, conversationId, messageId, request),
    answersAdded: announceChange,
  };

  return {
    ...cells,
    ...files,
    async list(
      { search, ...query }: { search: string } & ListedConversations,
      signal?: AbortSignal,
    ): Promise<ConversationSummary[]> {
      const words = search.trim();
      if (words === '') return store.list(query);
      return store.search({ search: words, limit: query.limit }, signal);
    },
    get(id: string, since: string | null = null): Conversation {
      // Read the head first, because this may write answers, which count as changes.
      const head = { ...store.head(id), turns: turns.list(id) };
      const changedIds = since === null ? null : revisions.since(id, since);
      const revision = revisions.current(id);
      if (changedIds !== null) {
        const { messages } = store.getAdded(id, changedIds);
        return { ...head, messages, complete: false, revision };
      }
      const conversation = store.get(id, FIRST_SENT);
      const complete = conversation.messages.length === conversation.messageCount;
      return { ...conversation, turns: head.turns, complete, revision };
    },

    messages: (
      id: string,
      page: { before: number | null; limit: number },
    ): { messages: TreeMessage[]; next: number | null; revision: string } => ({
      ...store.messages(id, page),
      revision: revisions.current(id),
    }),

    create(fields?: NewConversation): Conversation {
      const conversation = store.create(fields);
      const revision = revisions.current(conversation.id);
      return { ...conversation, turns: [], complete: true, revision };
    },

    update(id: string, fields: ConversationFields): ConversationSummary {
      const summary = store.update(id, fields);
      announceChange(id, []);
      return summary;
    },

    place(ids: readonly string[], placement: Placement): void {
      store.place(ids, placement);
      for (const id of ids) announceChange(id, []);
    },

    renameFolder(folder: string, name: string | null): void {
      store.renameFolder(folder, name);
      changes.announce('conversations');
    },

    duplicate(part: CopiedPart): ConversationSummary {
      const copy = store.copy(part);
      forms.copy(getConversationFormId(part.id), getConversationFormId(copy.id), isChatSetting);
      announceChange(copy.id, []);
      return copy;
    },

    remove(id: string): string {
      comparisons().leave(id);
      turns.stop(id);
      const { deletionId, runIds } = store.remove(id);
      cancelAll(runIds);
      announceChange(id);
      changes.announce('comparisons');
      return deletionId;
    },

    send(input: SendInput): Promise<SendResult> {
      turns.dismiss(input.conversationId);
      return send(input);
    },
    continueTurn: turns.continue,
    stopTurns: turns.stop,
    decideCall: turns.decide,
    workingCount: turns.workingCount,
    close: turns.close,
    queue: turns.addQueued,
    editQueued: turns.editQueued,
    sendQueued: turns.sendQueued,

    compare(input: CompareInput): CompareResult {
      const result = compareTurn(store, comparisons(), input);
      announceChange(
        input.conversationId,
        result.messages.map(({ id }) => id),
      );
      return result;
    },

    addMessage(
      conversationId: string,
      parentId: string | null,
      written: WrittenMessage,
    ): AddedMessages {
      const message = createMessage(parentId, written);
      store.insert({ conversationId, messages: [message], activeLeafId: message.id });
      announceChange(conversationId, [message.id]);
      return store.getAdded(conversationId, [message.id]);
    },

    async removeMessage(conversationId: string, messageId: string): Promise<string> {
      const { deletionId, runIds } = await store.removeMessage(conversationId, messageId);
      cancelAll(runIds);
      turns.stopDeleted(conversationId);
      announceChange(conversationId);
      return deletionId;
    },

    nextRequest: async (input: NextRequestInput) => engine.preview(writeNext(input)),
    countTokens: async (input: NextRequestInput, signal: AbortSignal | undefined) =>
      engine.countTokens(writeNext(input), signal),

    sentMessages({ parentId, providerFields, request }: SentMessagesInput): JsonObject[] {
      if (parentId === null) return [];
      const settings = { systemMessage: '', options: { providerFields }, request };
      return writeBranchMessages(store, settings, parentId, []);
    },

    settle(run: RunView): void {
      if (run.conversationId === null || run.operation !== 'chat') return;
      store.settle(run.id, listFinishedAnswers(run));
      turns.handleEnd(run.conversationId, run);
      announceChange(run.conversationId, store.answerIds(run.id));
    },
  };
}

function listFinishedAnswers({
  state,
  format = CHAT_COMPLETIONS,
}: Pick<RunView<'chat'>, 'state' | 'format'>): FinishedAnswer[] {
  return state.choices.map((choice) => {
    const answer = viewAnswer(choice);
    return {
      choiceIndex: choice.index,
      content: toAnswerContent(answer.content, answer.parts),
      commentaryLength: answer.commentaryLength,
      name: answer.name,
      reasoning: answer.reasoning === '' ? null : answer.reasoning,
      reasoningTagged: answer.isTagged,
      reasoningEncrypted: answer.isEncrypted,
      toolCalls: toStoredCalls(choice.message, answer.toolCalls),
      audio: answer.audio,
      sources: readSources(state, choice),
      wire: { format, message: choice.message },
    };
  });
}
