/** Hides or deletes many rows at once, in steps that don't block the main process for long. */
import { getNumber } from '../../shared/exact-number.ts';
import type { Database } from '../storage/database-access.ts';
import { RUNS_AT_ONCE } from '../storage/deletions.ts';
import { readIds } from '../storage/rows.ts';

const FINISHED = "runs.status NOT IN ('queued', 'running')";

/** Comparisons outside conversations whose runs are all finished and older than `?1`. */
const OLD_COMPARISONS = `SELECT id FROM comparisons
  WHERE deleted_at IS NULL AND conversation_id IS NULL AND created_at < ?1
  AND NOT EXISTS (SELECT 1 FROM comparison_cells
    WHERE comparison = comparisons.row AND wanted > sent)
  AND NOT EXISTS (SELECT 1 FROM runs
    WHERE comparison_id = comparisons.id AND (created_at >= ?1 OR NOT ${FINISHED}))`;

/** Keeps runs in conversations, even if their answer was moved to another one. */
const OLD_RUNS = `runs.deleted_at IS NULL AND runs.created_at < ?1 AND ${FINISHED}
  AND NOT EXISTS (SELECT 1 FROM conversations WHERE id = runs.conversation_id)
  AND NOT EXISTS (SELECT 1 FROM messages WHERE run_id = runs.id)`;

export function countOldRuns(db: Database, before: number): number {
  const row = db
    .sql(`SELECT count(*) AS count FROM runs WHERE ${OLD_RUNS}
      AND (comparison_id IS NULL OR comparison_id IN (${OLD_COMPARISONS}))`)
    .get(before);
  return Number(row?.count);
}

export function listOldComparisons(db: Database, before: number): string[] {
  return readIds(db, OLD_COMPARISONS, before);
}

/** Also hides the comparison's runs; works even if the comparison can't be read. */
export function hideComparison(db: Database, id: string, hiddenAt: number): void {
  db.write(() => {
    db.sql('UPDATE comparisons SET deleted_at = ? WHERE id = ?').run(hiddenAt, id);
    db.sql(`UPDATE runs SET deleted_at = ?
      WHERE comparison_id = ? AND deleted_at IS NULL`).run(hiddenAt, id);
  });
}

/** Hides a batch of old runs after `row`; returns its last row, or null once all are hidden. */
export function hideOldRuns(
  db: Database,
  { before, row, hiddenAt }: { before: number; row: number; hiddenAt: number },
): number | null {
  const last = db
    .sql(`SELECT max(row) AS row FROM (SELECT row FROM runs
      WHERE row > ?2 AND comparison_id IS NULL AND ${OLD_RUNS} ORDER BY row LIMIT ${RUNS_AT_ONCE})`)
    .get(before, row);
  const until = getNumber(last?.row);
  if (until === null) return null;
  db.write(() =>
    db
      .sql(`UPDATE runs SET deleted_at = ?4
        WHERE row > ?2 AND row <= ?3 AND comparison_id IS NULL AND ${OLD_RUNS}`)
      .run(before, row, until, hiddenAt),
  );
  return until;
}

/** Hides some finished runs after `row`; keeps those of a comparison in a conversation. */
export function hideRuns(
  db: Database,
  { row, deletedAt }: { row: number; deletedAt: number },
): number | null {
  const next = db
    .sql(`SELECT max(row) AS row FROM (SELECT row FROM runs
      WHERE row > ? ORDER BY row LIMIT ${RUNS_AT_ONCE})`)
    .get(row);
  const until = getNumber(next?.row);
  if (until === null) return null;
  db.write(() =>
    db
      .sql(`UPDATE runs SET deleted_at = ?3
        WHERE row > ?1 AND row <= ?2 AND deleted_at IS NULL AND ${FINISHED}
        AND NOT EXISTS (SELECT 1 FROM comparisons WHERE id = runs.comparison_id
          AND conversation_id IS NOT NULL AND deleted_at IS NULL)`)
      .run(row, until, deletedAt),
  );
  return until;
}

/** Returns the IDs of the hidden comparisons, which are outside conversations. */
export function hideComparisons(db: Database, deletedAt: number): string[] {
  return readIds(
    db,
    `UPDATE comparisons SET deleted_at = ? WHERE deleted_at IS NULL
      AND conversation_id IS NULL RETURNING id`,
    deletedAt,
  );
}

/** Also hides the comparisons in them; returns the IDs of the hidden conversations. */
export function hideConversations(db: Database, deletedAt: number): string[] {
  db.sql(`UPDATE comparisons SET deleted_at = ? WHERE deleted_at IS NULL
    AND conversation_id IS NOT NULL`).run(deletedAt);
  return readIds(
    db,
    'UPDATE conversations SET deleted_at = ? WHERE deleted_at IS NULL RETURNING id',
    deletedAt,
  );
}

/** Hides complete media items. */
export function hideMedia(db: Database, deletedAt: number): void {
  db.sql(`UPDATE media SET deleted_at = ? WHERE deleted_at IS NULL
    AND hash IS NOT NULL`).run(deletedAt);
}

export function hideChecks(db: Database, deletedAt: number): void {
  db.sql('UPDATE checks SET deleted_at = ? WHERE deleted_at IS NULL').run(deletedAt);
}

export function hideSavedItems(db: Database, deletedAt: number): void {
  db.sql('UPDATE saved_items SET deleted_at = ? WHERE deleted_at IS NULL').run(deletedAt);
}
