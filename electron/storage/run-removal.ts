/** Deletes runs in small steps, because the main process is also the desktop's UI thread. */
import { UserFacingError } from '../../shared/errors.ts';
import { createDelayed, RETRY_MS, type Timer } from '../base/timer.ts';
import type { Database } from './database-access.ts';
import { getKeys } from './event-rows.ts';
import type { Journals } from './journals.ts';
import { isCorruption } from './storage-error.ts';

/** Deleting this many rows takes about 2 ms. */
const EVENTS = 250;
const BLOCKS = 20;
const TEXTS = 2;

export interface RunRemoval {
  /** Starts deleting the rows of runs with a `deleted_at` of 0. */
  start(): void;
  /** Leaves the remaining rows for the next start. */
  close(): void;
}

export function createRunRemoval(
  db: Database,
  journals: Pick<Journals, 'remove'> | null,
  timer: Timer,
): RunRemoval {
  const nextStep = createDelayed(timer, step);
  /** Rows on damaged SQLite pages, or whose journal is in use; skipped until the next start. */
  const skipped = new Set<number>();

  function step(): void {
    const before = skipped.size;
    try {
      if (db.write(deleteSome)) nextStep.start(0);
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      nextStep.start(skipped.size > before ? 0 : RETRY_MS);
    }
  }

  function skip(row: number): void {
    skipped.add(row);
    db.warn({
      id: 'removal-damaged',
      level: 'warning',
      message: 'Some deleted runs still use disk space, because the database is damaged.',
      nextStep: 'Check the disk for errors.',
    });
  }

  function next(): { row: number; id: string } | null {
    const run = db
      .sql(`SELECT row, id FROM runs WHERE deleted_at = 0
        AND row NOT IN (SELECT value FROM json_each(?)) LIMIT 1`)
      .get(JSON.stringify([...skipped]));
    return run === undefined ? null : { row: Number(run.row), id: String(run.id) };
  }

  /** Deletes the journal first, because the next start would insert its run again. */
  function deleteSome(): boolean {
    const run = next();
    if (run === null) return false;
    if (journals?.remove(run.id) === false) {
      skipped.add(run.row);
      return true;
    }
    try {
      return deleteRows(run.row);
    } catch (cause) {
      if (isCorruption(cause)) skip(run.row);
      throw cause;
    }
  }

  /** Delete the run's row last, because SQLite reuses its number. */
  function deleteRows(row: number): boolean {
    const [first, last] = getKeys(row);
    const parts = [
      { table: 'run_texts', key: 'run', first: row, last: row, count: TEXTS },
      { table: 'events', key: 'key', first, last, count: EVENTS },
      { table: 'chunk_blocks', key: 'key', first, last, count: BLOCKS },
      { table: 'long_bodies', key: 'key', first, last, count: BLOCKS },
    ];
    for (const { table, key, count, ...range } of parts) {
      const { changes } = db
        .sql(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table}
          WHERE ${key} BETWEEN ? AND ? ORDER BY ${key} LIMIT ${count})`)
        .run(range.first, range.last);
      if (Number(changes) > 0) return true;
    }
    db.sql(`INSERT INTO deleted_costs (connection_id, created_at, dollars)
      SELECT connection_id, created_at, coalesce(cost, least_cost) FROM runs
      WHERE row = ? AND coalesce(cost, least_cost) IS NOT NULL`).run(row);
    db.sql('DELETE FROM runs WHERE row = ?').run(row);
    return next() !== null;
  }

  if (next() !== null) nextStep.start(0);

  return {
    start: () => nextStep.start(0),
    close: () => nextStep.close(),
  };
}
