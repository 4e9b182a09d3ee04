/** Comparisons that a deletion hides: brought back, or deleted for good. */
import type { Database } from './database-access.ts';

/** Those of a chat go with its conversation; their runs stay, as all of its runs do. */
export function getHideComparisons(db: Database, conversationId: string, deletionId: string): void {
  db.sql(`UPDATE comparisons SET deletion = ?
    WHERE conversation_id = ? AND deletion IS NULL`).run(deletionId, conversationId);
}

/** Returns whether there was one. */
export function restoreComparisons(db: Database, deletionId: string): boolean {
  const { changes } = db
    .sql('UPDATE comparisons SET deletion = NULL WHERE deletion = ?')
    .run(deletionId);
  return Number(changes) > 0;
}

/** Runs that stay no longer name them. */
export function removeComparisons(db: Database, deletionId: string): void {
  db.sql(`UPDATE runs SET comparison_id = NULL, cell = NULL WHERE removed = 0
    AND comparison_id IN (SELECT id FROM comparisons WHERE deletion = ?)`).run(deletionId);
  db.sql('DELETE FROM comparisons WHERE deletion = ?').run(deletionId);
}
