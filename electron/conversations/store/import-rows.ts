/** Inserts imported conversations, which stay hidden until all of them are complete. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../storage/database-access.ts';
import { insertFields } from '../../storage/rows.ts';
import type { FileConversation, FileMessage } from '../files/conversation-file.ts';
import { setConversationTitle } from './conversation-rows.ts';
import { insertMessage } from './message-rows.ts';

/** Returns the ID of the conversation, which has no messages yet. */
export function insertHidden(
  db: Database,
  conversation: FileConversation,
  hiddenAt: number,
): string {
  const id = randomUUID();
  const { title, titled, systemMessage, options, pinned, archived, folder } = conversation;
  const { createdAt, updatedAt } = conversation;
  const chosen = { title, titled, systemMessage, options, pinned, archived, folder };
  insertFields(db, 'conversations', { id, ...chosen, createdAt, updatedAt, deletedAt: hiddenAt });
  return id;
}

/** Adds messages, whose parents must be in `ids` already, and adds their new IDs to `ids`. */
export function insertImportedMessages(
  db: Database,
  conversationId: string,
  messages: readonly FileMessage[],
  ids: Map<string, string>,
): void {
  for (const { id: fileId, parentId, run, createdAt, ...fields } of messages) {
    const id = randomUUID();
    ids.set(fileId, id);
    const parent = parentId === null ? null : (ids.get(parentId) ?? null);
    const message = {
      ...fields,
      id,
      parentId: parent,
      runId: null,
      importedRun: run,
      continued: null,
    };
    insertMessage(db, conversationId, message, createdAt);
  }
}

/** Selects the branch, and takes the title from the first message if the file has none. */
export function finishImported(db: Database, id: string, activeLeafId: string | null): void {
  db.sql('UPDATE conversations SET active_leaf_id = ? WHERE id = ?').run(activeLeafId, id);
  setConversationTitle(db, id);
}
