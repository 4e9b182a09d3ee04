/** Deletes hidden conversations in small steps, because each message is in the search index. */
import { MAX_SEARCHED_LENGTH } from '../../../shared/conversation.ts';
import type { Database } from '../../storage/database-access.ts';

/** Deleting this much takes less than 8 ms. */
export const MESSAGES_PER_PURGE = 50;
export const LENGTH_PER_PURGE = 50_000;

/** Returns true if some conversations are left; passes the IDs of the others to `onPurged`. */
export function purgeSomeConversations(
  db: Database,
  deletedAt: number,
  onPurged: (conversationId: string) => void,
): boolean {
  for (let left = MESSAGES_PER_PURGE; left > 0; ) {
    const conversation = db
      .sql('SELECT id FROM conversations WHERE deleted_at = ? LIMIT 1')
      .get(deletedAt);
    if (conversation === undefined) return false;
    const id = String(conversation.id);
    const { count, isFull } = deleteLastMessages(db, id, left);
    if (isFull) return true;
    left -= count;
    if (left === 0) return true;
    db.sql('DELETE FROM conversations WHERE id = ?').run(id);
    onPurged(id);
    left -= 1;
  }
  return true;
}

/** Deletes from the end, because a message can't be deleted before those that follow it. */
function deleteLastMessages(db: Database, conversationId: string, max: number) {
  const messages = db
    .sql(`SELECT row, min(octet_length(text), ${MAX_SEARCHED_LENGTH}) AS length FROM messages
      WHERE conversation_id = ? ORDER BY row DESC LIMIT ?`)
    .all(conversationId, max);
  let length = 0;
  const rows: unknown[] = [];
  for (const message of messages) {
    if (length >= LENGTH_PER_PURGE) break;
    length += Number(message.length);
    rows.push(message.row);
  }
  db.sql('DELETE FROM messages WHERE row IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(rows),
  );
  return { count: rows.length, isFull: length >= LENGTH_PER_PURGE };
}
