/** Stores conversations as trees of messages; each answer references its run and choice. */
import { randomUUID } from 'node:crypto';
import type { AddedMessages } from '../../../shared/contract/conversations.ts';
import type {
  ConversationOptions,
  ConversationSummary,
  TreeMessage,
} from '../../../shared/conversation.ts';
import { UserFacingError } from '../../../shared/errors.ts';
import { runInSteps, yieldToEventLoop } from '../../base/yield-to-event-loop.ts';
import type { Database } from '../../storage/database-access.ts';
import type { Deletions } from '../../storage/deletions.ts';
import { readIds } from '../../storage/rows.ts';
import { readSummaries, summaryColumns, withCurrentMedia } from '../../storage/run-rows.ts';
import type { ConversationSearch } from '../../storage/search/conversation-search.ts';
import type { Searcher } from '../../storage/search/searcher.ts';
import {
  type ConversationHead,
  deriveTitle,
  insertConversation,
  type ListedConversations,
  listConversations,
  noMessage,
  type Placement,
  placeConversations,
  readConversation,
  readConversationSummary,
  readFoundConversations,
  requireMessage,
  selectBranch,
  setConversationTitle,
  touch,
  updateOptions,
} from './conversation-rows.ts';
import { type CopiedPart, copyConversation } from './copy-conversation.ts';
import { createAnswerSettler } from './finalize-answers.ts';
import {
  createSubtree,
  hideRest,
  purgeSomeMessages,
  restoreRest,
  restoreSome,
} from './message-removal.ts';
import {
  type FinishedAnswer,
  getParentId,
  insertMessage,
  isShown,
  listAncestorIds,
  listEndIds,
  messageColumns,
  type NewMessage,
  readMessages,
  readWires,
  type StoredMessage,
  walkToNewestLeaf,
} from './message-rows.ts';
import { purgeSomeConversations } from './purge-conversations.ts';

export type { FinishedAnswer, NewMessage } from './message-rows.ts';

export interface ConversationFields {
  title?: string | undefined;
  systemMessage?: string | undefined;
  options?: ConversationOptions | undefined;
  activeLeafId?: string | null | undefined;
}

export interface NewConversation extends Pick<ConversationFields, 'systemMessage' | 'options'> {
  draft?: string | undefined;
}

export type StoredConversation = ConversationHead & { messages: TreeMessage[] };

export interface Deleted {
  deletionId: string;
  runIds: string[];
}

interface ConversationStoreOptions {
  db: Database;
  deletions: Pick<Deletions, 'softDelete' | 'onPurgeInSteps'>;
  search: Pick<Searcher, 'conversations'>;
  now: () => number;
  onLateAnswers?: (conversationId: string, messageIds: string[]) => void;
  onUndone: (conversationId: string) => void;
  onPurged: (conversationId: string) => void;
  onMessagesPurged: (conversationId: string, messageIds: ReadonlySet<string>) => void;
}

/** Methods throw a `not-found` `UserFacingError` if the conversation or message doesn't exist. */
export interface ConversationStore {
  /**
   * Lists conversations that match the query, last updated first; the order `place` puts pinned ones
   * first, then those in folders.
   */
  list(query: ListedConversations): ConversationSummary[];
  /** Finds conversations by their words, last updated first; rejects like the searcher. */
  search(query: ConversationSearch, signal?: AbortSignal): Promise<ConversationSummary[]>;
  /** Returns the conversation without its messages. */
  head(id: string): ConversationHead;
  /**
   * Returns messages newest first; `before` is `next` of the previous page, or null for the first
   * page.
   */
  messages(
    id: string,
    page: { before: number | null; limit: number },
  ): { messages: TreeMessage[]; next: number | null };
  /** Returns all messages, or about the last `end` of the active branch with their siblings. */
  get(id: string, end?: number): StoredConversation;
  /** Returns all messages with the raw answers. */
  whole(id: string): ConversationHead & { messages: StoredMessage[] };
  create(fields?: NewConversation): StoredConversation;
  /** Also marks the title as chosen by the user. */
  update(id: string, fields: ConversationFields): ConversationSummary;
  /** Pins, archives or moves conversations to a folder. */
  place(ids: readonly string[], placement: Placement): void;
  /** Also renames the folder of archived and deleted conversations; null removes the folder. */
  renameFolder(folder: string, name: string | null): void;
  /** Copies all branches, or the branch ending at `messageId`, to a new conversation. */
  copy(part: CopiedPart): ConversationSummary;
  /** Hides the conversation and its comparisons, and returns its unfinished runs. */
  remove(id: string): Deleted;
  /** Adds all messages or none; parents must precede their children. */
  insert(added: {
    conversationId: string;
    messages: NewMessage[];
    activeLeafId: string | null;
  }): void;
  /** Returns these messages, the conversation's summary and the end of its active branch. */
  getAdded(conversationId: string, messageIds: string[]): AddedMessages;
  /** Returns the IDs of the messages that the run answers in. */
  answerIds(runId: string): string[];
  /** Returns the messages from the root to this one, with the raw answers. */
  path(messageId: string): StoredMessage[];
  /**
   * Hides the message and its replies in steps, and returns the unfinished runs that answer only in
   * them.
   */
  removeMessage(conversationId: string, messageId: string): Promise<Deleted>;
  /** Copies a finished run's answers to its messages, retrying if the disk can't be written. */
  settle(runId: string, answers: FinishedAnswer[]): void;
}

export function createConversationStore(options: ConversationStoreOptions): ConversationStore {
  const { db, deletions, search, now, onUndone } = options;
  const settler = createAnswerSettler({
    db,
    now,
    onLateAnswers: (conversationId, runId) =>
      options.onLateAnswers?.(conversationId, answerIds(runId)),
  });

  deletions.onPurgeInSteps('conversations', (deletedAt) =>
    purgeSomeConversations(db, deletedAt, options.onPurged),
  );
  deletions.onPurgeInSteps('messages', (deletedAt) =>
    purgeSomeMessages(db, deletedAt, options.onMessagesPurged),
  );

  function messages(where: string, value: string): TreeMessage[] {
    const runRows = db
      .sql(`SELECT ${summaryColumns} FROM shown_runs
        WHERE id IN (SELECT run_id FROM messages WHERE ${where})`)
      .all(value);
    const summaries = withCurrentMedia(db, readSummaries(db, runRows));
    const runs = new Map(summaries.map((run) => [run.id, run]));
    const rows = db
      .sql(`SELECT ${messageColumns} FROM shown_messages WHERE ${where} ORDER BY row`)
      .all(value);
    return readMessages(db, rows, runs).map(settler.overlay);
  }

  function byIds(ids: string[]): TreeMessage[] {
    const found = messages('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
    const byId = new Map(found.map((message) => [message.id, message]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns unfinished runs that answer in messages that meet the condition. */
  function getActiveRunIds(where: string, value: string | number): string[] {
    return db
      .sql(`SELECT id FROM runs WHERE status IN ('queued', 'running')
        AND EXISTS (SELECT 1 FROM messages m WHERE m.run_id = runs.id AND ${where})`)
      .all(value)
      .map(({ id }) => String(id));
  }

  async function findNewestLeaf(
    conversationId: string,
    parentId: string | null,
    excludedId: string,
  ): Promise<string | null> {
    let leafId = parentId;
    function* walk(): Generator<void, void> {
      for (const id of walkToNewestLeaf(db, conversationId, parentId, excludedId)) {
        leafId = id;
        yield;
      }
    }
    await runInSteps(walk());
    return leafId;
  }

  function getIds(where: string, value: string): string[] {
    return readIds(db, `SELECT id FROM shown_messages WHERE ${where}`, value);
  }

  const answerIds = (runId: string) => getIds('run_id = ?', runId);

  return {
    list(query: ListedConversations): ConversationSummary[] {
      settler.retry();
      return listConversations(db, query);
    },

    async search(query: ConversationSearch, signal?: AbortSignal): Promise<ConversationSummary[]> {
      settler.retry();
      const found = await search.conversations(query, signal);
      // The user may have deleted a conversation while the search was running.
      return found.flatMap(({ id, match }) => readFoundConversations(db, id, match));
    },

    head(id: string): ConversationHead {
      settler.retry();
      return readConversation(db, id);
    },

    messages(
      id: string,
      { before, limit }: { before: number | null; limit: number },
    ): { messages: TreeMessage[]; next: number | null } {
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

    get(id: string, end?: number): StoredConversation {
      settler.retry();
      const conversation = readConversation(db, id);
      const { activeLeafId, messageCount } = conversation;
      if (end === undefined || activeLeafId === null || messageCount <= end) {
        return { ...conversation, messages: messages('conversation_id = ?', id) };
      }
      const ids = JSON.stringify(listEndIds(db, id, activeLeafId, end));
      return { ...conversation, messages: messages('id IN (SELECT value FROM json_each(?))', ids) };
    },

    whole(id: string): ConversationHead & { messages: StoredMessage[] } {
      settler.retry();
      const conversation = readConversation(db, id);
      const wires = readWires(db, getIds('conversation_id = ?', id));
      const all = messages('conversation_id = ?', id).map((message) => ({
        wire: wires.get(message.id) ?? null,
        ...message,
      }));
      return { ...conversation, messages: all };
    },

    create({ systemMessage = '', options, draft = '' }: NewConversation = {}): StoredConversation {
      const id = randomUUID();
      db.write(() => {
        insertConversation(db, id, { systemMessage, title: deriveTitle(draft), createdAt: now() });
        if (options !== undefined) updateOptions(db, id, options);
      });
      return { ...readConversation(db, id), messages: [] };
    },

    update(
      id: string,
      { title, systemMessage, options, activeLeafId }: ConversationFields,
    ): ConversationSummary {
      return db.write(() => {
        readConversation(db, id);
        if (title !== undefined) {
          db.sql('UPDATE conversations SET title = ?, titled = 1 WHERE id = ?').run(title, id);
        }
        if (systemMessage !== undefined) {
          db.sql('UPDATE conversations SET system_message = ? WHERE id = ?').run(systemMessage, id);
          touch(db, id, now());
        }
        if (options !== undefined) updateOptions(db, id, options);
        if (activeLeafId !== undefined) selectBranch(db, id, activeLeafId);
        return readConversationSummary(db, id);
      });
    },

    place(ids: readonly string[], placement: Placement): void {
      db.write(() => placeConversations(db, ids, placement));
    },

    renameFolder(folder: string, name: string | null): void {
      db.write(() =>
        db.sql('UPDATE conversations SET folder = ? WHERE folder = ?').run(name, folder),
      );
    },

    copy(part: CopiedPart): ConversationSummary {
      settler.retry();
      return db.write(() => readConversationSummary(db, copyConversation(db, part, now())));
    },

    remove(id: string): Deleted {
      return db.write(() => {
        readConversation(db, id);
        const deletionId = deletions.softDelete({
          hide(deletedAt) {
            db.sql('UPDATE conversations SET deleted_at = ? WHERE id = ?').run(deletedAt, id);
            db.sql(`UPDATE comparisons SET deleted_at = ?
              WHERE conversation_id = ? AND deleted_at IS NULL`).run(deletedAt, id);
          },
          onRestored: () => onUndone(id),
        });
        return { deletionId, runIds: getActiveRunIds('m.conversation_id = ?', id) };
      });
    },

    insert({
      conversationId,
      messages: added,
      activeLeafId,
    }: {
      conversationId: string;
      messages: NewMessage[];
      activeLeafId: string | null;
    }): void {
      db.write(() => {
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

    getAdded: (conversationId: string, messageIds: string[]) => ({
      conversation: readConversationSummary(db, conversationId),
      messages: byIds(messageIds),
      activeLeafId: readConversation(db, conversationId).activeLeafId,
    }),

    answerIds,

    path(messageId: string): StoredMessage[] {
      settler.retry();
      const ids = listAncestorIds(db, messageId);
      if (ids.length === 0) throw new UserFacingError(noMessage);
      const wires = readWires(db, ids);
      return byIds(ids).map((message) => ({ wire: wires.get(message.id) ?? null, ...message }));
    },

    async removeMessage(conversationId: string, messageId: string): Promise<Deleted> {
      readConversation(db, conversationId);
      requireMessage(db, conversationId, messageId);
      const parentId = getParentId(db, messageId);
      const subtree = createSubtree(db, conversationId, messageId);
      await subtree.find();
      const leafId = await findNewestLeaf(conversationId, parentId, messageId);
      let before: string | null = null;
      let after: string | null = null;
      let hiddenAt = 0;

      function leaveSubtree(): void {
        after = leafId !== null && isShown(db, leafId) ? leafId : parentId;
        selectBranch(db, conversationId, after);
      }

      function hideSome(): boolean {
        subtree.hideSome(hiddenAt);
        if (!subtree.isHidden()) return false;
        // A run may have added an answer, and selected it, since the first message was hidden.
        const { activeLeafId } = readConversation(db, conversationId);
        if (activeLeafId !== null && !isShown(db, activeLeafId)) leaveSubtree();
        setConversationTitle(db, conversationId);
        return true;
      }

      const deletionId = db.write(() => {
        requireMessage(db, conversationId, messageId);
        before = readConversation(db, conversationId).activeLeafId;
        touch(db, conversationId, now());
        return deletions.softDelete({
          hide(deletedAt) {
            hiddenAt = deletedAt;
            after = before;
            const isIn = before === null || subtree.has(before);
            hideSome();
            if (isIn) leaveSubtree();
          },
          async restoreSlowly(deletedAt) {
            while (db.write(() => restoreSome(db, deletedAt, parentId))) {
              await yieldToEventLoop(Number.POSITIVE_INFINITY);
            }
          },
          restore(deletedAt) {
            const { activeLeafId } = readConversation(db, conversationId);
            const isPurged = !db.sql('SELECT 1 FROM messages WHERE id = ?').get(messageId);
            if (isPurged) throw new UserFacingError(noMessage);
            restoreRest(db, deletedAt, parentId);
            // Don't switch branches if the user has already moved to another one.
            if (activeLeafId === after && before !== null && isShown(db, before)) {
              const leaf = [...walkToNewestLeaf(db, conversationId, before)].at(-1) ?? before;
              selectBranch(db, conversationId, leaf);
            }
            setConversationTitle(db, conversationId);
          },
          onRestored: () => onUndone(conversationId),
          getNote: () => (isShown(db, messageId) ? null : FOLLOWS_DELETED),
        });
      });
      if (!subtree.isHidden()) await hideRest(db, hideSome);
      const runIds = getActiveRunIds('m.deleted_at = ?', hiddenAt).filter(
        (runId) => answerIds(runId).length === 0,
      );
      return { deletionId, runIds };
    },

    settle: settler.settle,
  };
}

const FOLLOWS_DELETED = 'Message restored. To see it, undo the deletion of the message before it.';
