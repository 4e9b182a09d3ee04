/** Conversations as trees of messages: written ones, and answers that point at their run. */
import { randomUUID } from 'node:crypto';
import type { AddedMessages } from '../../shared/contract/conversations.ts';
import type { ConversationSummary, TreeMessage } from '../../shared/conversation.ts';
import type { ConversationOptions } from '../../shared/conversation-options.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { RunSummary } from '../../shared/run.ts';
import {
  type ConversationDeletionOptions,
  createConversationDeletions,
} from './conversation-deletion.ts';
import {
  type ConversationHead,
  insertConversation,
  noMessage,
  readConversation,
  readListed,
  requireMessage,
  saveOptions,
  selectBranch,
  setConversationTitle,
  touch,
} from './conversation-rows.ts';
import { createAnswerSettler } from './finalize-answers.ts';
import { getHideComparisons } from './hidden-comparisons.ts';
import { withMediaNames } from './media-names.ts';
import {
  type FinishedAnswer,
  insertMessage,
  messageColumns,
  type NewMessage,
  readMessage,
} from './message-rows.ts';
import { ancestorIds, endIds, newestLeafId, subtreeIds } from './message-tree.ts';
import { readSummaries, summaryColumns } from './run-rows.ts';
import type { ConversationSearch } from './search/conversation-search.ts';
import type { Searcher } from './search/searcher.ts';

export type { FinishedAnswer, NewMessage } from './message-rows.ts';

/** What may be changed of a conversation; what is missing stays. */
export interface ConversationFields {
  title?: string | undefined;
  systemMessage?: string | undefined;
  options?: ConversationOptions | undefined;
  /** The end of the shown branch. */
  activeLeafId?: string | null | undefined;
}

/** What a new one begins with; defaults for what is missing. */
export type NewConversation = Pick<ConversationFields, 'systemMessage' | 'options'>;

export type StoredConversation = ConversationHead & { messages: TreeMessage[] };

/** A deletion that can be undone for a while. */
export interface Deleted {
  deletionId: string;
  /** Runs that answer nowhere any more. */
  runIds: string[];
}

/** For what does not exist, every method throws a `UserFacingError` of kind `not-found`. */
export interface ConversationStore {
  /** Most recently changed first. */
  list(limit: number): ConversationSummary[];
  /** In the same order; rejects as the searcher does. */
  search(query: ConversationSearch, signal?: AbortSignal): Promise<ConversationSummary[]>;
  head(id: string): ConversationHead;
  /** All messages; or about the `end` last of the shown branch, with their siblings. */
  get(id: string, end?: number): StoredConversation;
  /** Newest first; `before` is the `next` of the page before, null for the first. */
  messages(
    id: string,
    page: { before: number | null; limit: number },
  ): { messages: TreeMessage[]; next: number | null };
  create(fields?: NewConversation): StoredConversation;
  /** A title given here is the user's own and stays. */
  update(id: string, fields: ConversationFields): ConversationSummary;
  /** With its form and its comparisons. */
  remove(id: string): Deleted;
  /** Adds all of the messages, parents before their children, or none. */
  insert(input: {
    conversationId: string;
    messages: NewMessage[];
    /** The end of the shown branch from now on. */
    activeLeafId: string | null;
  }): void;
  /** What was added there, in its current state. */
  added(conversationId: string, messageIds: string[]): AddedMessages;
  /** The messages that show what the run answered. */
  answerIds(runId: string): string[];
  /** From the root to the message, both included. */
  path(messageId: string): TreeMessage[];
  /** With all that follows. */
  removeMessage(conversationId: string, messageId: string): Deleted;
  /**
   * Copies what a finished run answered into its messages. A choice without a message becomes a
   * sibling, unless it was removed. Does not throw for a disk that cannot be written: tried again later.
   */
  settle(runId: string, answers: FinishedAnswer[]): void;
}

interface ConversationStoreOptions extends ConversationDeletionOptions {
  search: Pick<Searcher, 'conversations'>;
  now: () => number;
  /** Answers are written that `settle` could not write: these messages were changed or added. */
  onLateAnswers?: (conversationId: string, messageIds: string[]) => void;
}

export function createConversationStore(options: ConversationStoreOptions): ConversationStore {
  const { db, search, now } = options;
  const settler = createAnswerSettler({
    db,
    now,
    onLateAnswers: (conversationId, runId) =>
      options.onLateAnswers?.(conversationId, answerIds(runId)),
  });
  const { deleteConversation, deleteMessage } = createConversationDeletions(options);

  /** `where` is a condition on messages with one parameter. */
  function messages(where: string, value: string): TreeMessage[] {
    const runRows = db
      .sql(`SELECT ${summaryColumns} FROM shown_runs
        WHERE id IN (SELECT run_id FROM messages WHERE ${where})`)
      .all(value);
    const runs = new Map(
      withMediaNames(db, readSummaries(db, runRows)).map((run): [string, RunSummary] => [
        run.id,
        run,
      ]),
    );
    return db
      .sql(`SELECT ${messageColumns} FROM shown_messages WHERE ${where} ORDER BY row`)
      .all(value)
      .map((row) => settler.overlay(readMessage(db, row, runs)));
  }

  function byIds(ids: string[]): TreeMessage[] {
    const found = messages('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
    const byId = new Map(found.map((message) => [message.id, message]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  function getRunIds(ids: string[]): string[] {
    return db
      .sql(`SELECT DISTINCT run_id FROM messages
        WHERE run_id IS NOT NULL AND id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ids))
      .map(({ run_id: runId }) => String(runId));
  }

  return {
    list(limit) {
      settler.retry();
      return db
        .sql('SELECT id FROM shown_conversations ORDER BY updated_at DESC, id DESC LIMIT ?')
        .all(limit)
        .map(({ id }) => readListed(db, String(id)));
    },

    async search(query, signal) {
      settler.retry();
      const found = await search.conversations(query, signal);
      // One may have been deleted meanwhile.
      return found.flatMap(({ id, match }) => (isShown(id) ? [readListed(db, id, match)] : []));
    },

    head(id) {
      settler.retry();
      return readConversation(db, id);
    },

    messages(id, { before, limit }) {
      readConversation(db, id);
      const rows = db
        .sql(`SELECT row, id FROM shown_messages WHERE conversation_id = ? AND row < ?
          ORDER BY row DESC LIMIT ?`)
        .all(id, before ?? Number.MAX_SAFE_INTEGER, limit);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        messages: byIds(rows.map((row) => String(row.id))),
        next: last === undefined ? null : Number(last.row),
      };
    },

    get(id, end) {
      settler.retry();
      const conversation = readConversation(db, id);
      const { activeLeafId, messageCount } = conversation;
      if (end === undefined || activeLeafId === null || messageCount <= end) {
        return { ...conversation, messages: messages('conversation_id = ?', id) };
      }
      const ids = JSON.stringify(endIds(db, id, activeLeafId, end));
      return { ...conversation, messages: messages('id IN (SELECT value FROM json_each(?))', ids) };
    },

    create({ systemMessage = '', options } = {}) {
      const id = randomUUID();
      db.write(() => {
        insertConversation(db, id, systemMessage, now());
        if (options !== undefined) saveOptions(db, id, options);
      });
      return { ...readConversation(db, id), messages: [] };
    },

    update(id, { title, systemMessage, options, activeLeafId }) {
      return db.write(() => {
        readConversation(db, id);
        if (title !== undefined) {
          db.sql('UPDATE conversations SET title = ?, titled = 1 WHERE id = ?').run(title, id);
        }
        if (systemMessage !== undefined) {
          db.sql('UPDATE conversations SET system_message = ? WHERE id = ?').run(systemMessage, id);
          touch(db, id, now());
        }
        if (options !== undefined) saveOptions(db, id, options);
        if (activeLeafId !== undefined) selectBranch(db, id, activeLeafId);
        return readListed(db, id);
      });
    },

    remove(id) {
      return db.write(() => {
        readConversation(db, id);
        const deletionId = deleteConversation((deletion) => {
          db.sql('UPDATE conversations SET deletion = ? WHERE id = ?').run(deletion, id);
          getHideComparisons(db, id, deletion);
          return { id };
        });
        return { deletionId, runIds: getRunIds(messageIds(id)) };
      });
    },

    insert({ conversationId, messages: added, activeLeafId }) {
      return db.write(() => {
        readConversation(db, conversationId);
        for (const message of added) {
          if (message.parentId !== null) requireMessage(db, conversationId, message.parentId);
          insertMessage(db, conversationId, message, now());
        }
        selectBranch(db, conversationId, activeLeafId);
        setConversationTitle(db, conversationId);
        touch(db, conversationId, now());
      });
    },

    added: (conversationId, messageIds) => ({
      conversation: readListed(db, conversationId),
      messages: byIds(messageIds),
      activeLeafId: readConversation(db, conversationId).activeLeafId,
    }),

    answerIds,

    path(messageId) {
      settler.retry();
      const ids = ancestorIds(db, messageId);
      if (ids.length === 0) throw new UserFacingError(noMessage);
      return byIds(ids);
    },

    removeMessage(conversationId, messageId) {
      return db.write(() => {
        const { activeLeafId } = readConversation(db, conversationId);
        requireMessage(db, conversationId, messageId);
        const parentId = ancestorIds(db, messageId).at(-2) ?? null;
        const ids = subtreeIds(db, messageId);
        const runIds = getRunIds(ids);
        const deletionId = deleteMessage((deletion) => {
          db.sql(`UPDATE messages SET deletion = ?
            WHERE id IN (SELECT value FROM json_each(?))`).run(deletion, JSON.stringify(ids));
          const isShown = activeLeafId === null || ids.includes(activeLeafId);
          const leftLeafId = isShown ? newestLeafId(db, conversationId, parentId) : activeLeafId;
          selectBranch(db, conversationId, leftLeafId);
          return { conversationId, messageId, activeLeafId, leftLeafId };
        });
        setConversationTitle(db, conversationId);
        touch(db, conversationId, now());
        return { deletionId, runIds: runIds.filter((runId) => !answers(runId)) };
      });
    },

    settle: settler.settle,
  };

  function isShown(id: string): boolean {
    return db.sql('SELECT 1 FROM shown_conversations WHERE id = ?').get(id) !== undefined;
  }

  function messageIds(conversationId: string): string[] {
    return db
      .sql('SELECT id FROM shown_messages WHERE conversation_id = ?')
      .all(conversationId)
      .map(({ id }) => String(id));
  }

  function answerIds(runId: string): string[] {
    return db
      .sql('SELECT id FROM shown_messages WHERE run_id = ?')
      .all(runId)
      .map(({ id }) => String(id));
  }

  function answers(runId: string): boolean {
    return db.sql('SELECT 1 FROM shown_messages WHERE run_id = ?').get(runId) !== undefined;
  }
}
