/** Inserts imported conversations, which stay hidden until all of them are complete. */
import { randomUUID } from 'node:crypto';
import type { FileConversation, FileMessage } from '../conversations/files/conversation-file.ts';
import { saveOptions, setConversationTitle } from './conversation-rows.ts';
import type { Database } from './database-access.ts';
import { insertMessage } from './message-rows.ts';

/** Returns the ID of the conversation, which has no messages yet. */
export function insertHidden(
  db: Database,
  conversation: FileConversation,
  hiddenAt: number,
): string {
  const id = randomUUID();
  db.sql(`INSERT INTO conversations (id, title, titled, system_message, pinned, archived, folder,
      created_at, updated_at, deleted_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    id,
    conversation.title,
    Number(conversation.titled),
    conversation.systemMessage,
    Number(conversation.pinned),
    Number(conversation.archived),
    conversation.folder,
    conversation.createdAt,
    conversation.updatedAt,
    hiddenAt,
  );
  saveOptions(db, id, conversation.options);
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
