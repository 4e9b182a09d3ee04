/** Reads the request outcomes of listed comparisons. */
import { z } from 'zod';
import { type ListedComparison, listedComparisonSchema } from '../../shared/comparison.ts';
import type { Database } from './database-access.ts';
import { readRows } from './rows.ts';

const rowSchema = listedComparisonSchema.pick({
  id: true,
  title: true,
  createdAt: true,
  conversationId: true,
  requests: true,
  unsent: true,
});
const tallySchema = z.object({
  id: z.string(),
  running: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  stopped: z.int(),
});
const none = { running: 0, succeeded: 0, failed: 0, stopped: 0 };

/** Skips unknown IDs; results are in no particular order. */
export function readListedComparisons(db: Database, ids: readonly string[]): ListedComparison[] {
  if (ids.length === 0) return [];
  const list = JSON.stringify(ids);
  const rows = db
    .sql(`SELECT id, title, created_at AS createdAt, conversation_id AS conversationId,
        (SELECT count(*) FROM comparison_cells WHERE comparison = comparisons.row) AS requests,
        (SELECT count(*) FROM comparison_cells WHERE comparison = comparisons.row
          AND wanted > sent) AS unsent
      FROM comparisons WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))`)
    .all(list);
  // SQLite takes the other columns from the row with the maximum, which is the newest attempt.
  const tallies = db
    .sql(`SELECT comparison_id AS id, sum(outcome = 'running') AS running,
        sum(outcome = 'succeeded') AS succeeded, sum(outcome = 'failed') AS failed,
        sum(outcome = 'stopped') AS stopped
      FROM (SELECT comparison_id, max(row), CASE
          WHEN status IN ('queued', 'running') THEN 'running'
          WHEN status = 'cancelled' THEN 'stopped'
          WHEN status = 'succeeded' AND NOT (json_valid(figures) AND figures ->> '$.noResult' IS NOT NULL)
            THEN 'succeeded'
          ELSE 'failed' END AS outcome
        FROM shown_runs WHERE comparison_id IN (SELECT value FROM json_each(?))
        GROUP BY comparison_id, cell)
      GROUP BY comparison_id`)
    .all(list);
  const byId = new Map(
    readRows(db, tallySchema, tallies, 'comparisons').map(({ id, ...tally }) => [id, tally]),
  );
  return readRows(db, rowSchema, rows, 'comparisons').map((row) => ({
    ...row,
    ...(byId.get(row.id) ?? none),
  }));
}
