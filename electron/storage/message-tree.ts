/** Walks the tree of a conversation's messages in SQL; those that a deletion hides are not in it. */
import type { Database } from './database-access.ts';

/** Ids from the root to the message, both included; empty if there is no such message. */
export function ancestorIds(db: Database, messageId: string): string[] {
  return db
    .sql(`WITH RECURSIVE up (id, parent_id, depth) AS (
        SELECT id, parent_id, 0 FROM shown_messages WHERE id = ?
        UNION ALL
        SELECT m.id, m.parent_id, depth + 1 FROM messages m JOIN up ON m.id = up.parent_id
      )
      SELECT id FROM up ORDER BY depth DESC`)
    .all(messageId)
    .map(({ id }) => String(id));
}

/** The last messages of the branch that ends at `leafId`, each with its siblings; in no order. At least `count` where there are so many. */
export function endIds(
  db: Database,
  conversationId: string,
  leafId: string,
  count: number,
): string[] {
  return db
    .sql(`WITH RECURSIVE up (id, parent_id, depth) AS (
        SELECT id, parent_id, 1 FROM shown_messages WHERE id = :leaf AND conversation_id = :conversation
        UNION ALL
        SELECT m.id, m.parent_id, depth + 1 FROM messages m JOIN up ON m.id = up.parent_id
        WHERE depth < :count
      )
      SELECT m.id FROM shown_messages m JOIN up ON m.parent_id = up.parent_id
      UNION ALL
      SELECT id FROM shown_messages WHERE parent_id IS NULL AND conversation_id = :conversation
        AND EXISTS (SELECT 1 FROM up WHERE parent_id IS NULL)`)
    .all({ leaf: leafId, conversation: conversationId, count })
    .map(({ id }) => String(id));
}

/** The message and all that follows it, in no order. */
export function subtreeIds(db: Database, messageId: string): string[] {
  return db
    .sql(`WITH RECURSIVE down (id) AS (
        SELECT id FROM shown_messages WHERE id = ?
        UNION ALL
        SELECT m.id FROM shown_messages m JOIN down ON m.parent_id = down.id
      )
      SELECT id FROM down`)
    .all(messageId)
    .map(({ id }) => String(id));
}

/** The messages that a deletion hides, with all that follows them: an earlier deletion may hide some of that. */
export function hiddenIds(db: Database, deletionId: string): string[] {
  return db
    .sql(`WITH RECURSIVE down (id) AS (
        SELECT id FROM messages WHERE deletion = ?
        UNION
        SELECT m.id FROM messages m JOIN down ON m.parent_id = down.id
      )
      SELECT id FROM down`)
    .all(deletionId)
    .map(({ id }) => String(id));
}

/** The end of the newest branch under `messageId` (null: of the whole conversation); null when empty. */
export function newestLeafId(
  db: Database,
  conversationId: string,
  messageId: string | null,
): string | null {
  const newestChild = db.sql(`SELECT id FROM shown_messages
    WHERE conversation_id = ? AND parent_id IS ? ORDER BY row DESC LIMIT 1`);
  for (let leaf = messageId; ; ) {
    const child = newestChild.get(conversationId, leaf);
    if (!child) return leaf;
    leaf = String(child.id);
  }
}

/** Deletes these messages; deleted answers whose run is still running must not return. */
export function deleteMessages(db: Database, ids: string[]): void {
  const list = JSON.stringify(ids);
  db.sql(`INSERT OR IGNORE INTO removed_answers (run_id, choice_index)
    SELECT run_id, choice_index FROM messages
    WHERE run_id IN (SELECT id FROM runs WHERE status IN ('queued', 'running'))
      AND choice_index IS NOT NULL AND id IN (SELECT value FROM json_each(?))`).run(list);
  db.sql('DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))').run(list);
}
