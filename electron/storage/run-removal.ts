/** Deletes runs in small steps, because the main process is also the desktop's UI thread. */
import { UserFacingError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import type { Database } from './database-access.ts';
import { getKeys } from './frames/frame-block.ts';
import type { FrameWriter } from './frames/frame-writer.ts';
import { isCorruption } from './storage-error.ts';
import { createDelayed, RETRY_MS, type Timer } from './timer.ts';

/** Deleting this many rows takes about 2 ms. */
const EVENTS = 250;
const TEXTS = 2;

export function createRunRemoval(db: Database, writer: Pick<FrameWriter, 'remove'>, timer: Timer) {
  const nextStep = createDelayed(timer, step);
  let closed = false;
  /** Frame deletion state by ledger row of the run. */
  const frames = new Map<number, 'asked' | 'gone'>();
  /** Rows on damaged SQLite pages, skipped until the next start. */
  const damaged = new Set<number>();

  function schedule(delayMs: number): void {
    if (!closed) nextStep.start(delayMs);
  }

  function step(): void {
    const before = damaged.size;
    try {
      if (db.write(deleteSome)) schedule(0);
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      schedule(damaged.size > before ? 0 : RETRY_MS);
    }
  }

  function skip(row: number): void {
    damaged.add(row);
    db.warn({
      id: 'removal-damaged',
      level: 'warning',
      message: 'Some deleted runs still use disk space, because the database is damaged.',
      nextStep: 'Check the disk for errors.',
    });
  }

  function next(): number | null {
    const run = db
      .sql(`SELECT row FROM runs WHERE deleted_at = 0
        AND row NOT IN (SELECT value FROM json_each(?)) LIMIT 1`)
      .get(JSON.stringify([...damaged]));
    return getNumber(run?.row);
  }

  function removeFrames(row: number): void {
    if (frames.has(row)) return;
    frames.set(row, 'asked');
    writer.remove(row, (cause) => {
      if (cause === null) frames.set(row, 'gone');
      else frames.delete(row);
      if (isCorruption(cause)) skip(row);
      schedule(cause === null || isCorruption(cause) ? 0 : RETRY_MS);
    });
  }

  function deleteSome(): boolean {
    const row = next();
    if (row === null) return false;
    try {
      return deleteRows(row);
    } catch (cause) {
      if (isCorruption(cause)) {
        skip(row);
        removeFrames(row);
      }
      throw cause;
    }
  }

  /** Delete the run's row last, because SQLite reuses its number. */
  function deleteRows(row: number): boolean {
    const texts = db
      .sql(`DELETE FROM run_texts WHERE row IN
        (SELECT row FROM run_texts WHERE run = ? LIMIT ${TEXTS})`)
      .run(row);
    if (Number(texts.changes) > 0) return true;
    const events = db
      .sql(`DELETE FROM events WHERE key IN
        (SELECT key FROM events WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ${EVENTS})`)
      .run(...getKeys(row));
    if (Number(events.changes) > 0) return true;
    if (frames.get(row) !== 'gone') {
      removeFrames(row);
      return false;
    }
    frames.delete(row);
    db.sql(`INSERT INTO deleted_costs (connection_id, created_at, dollars)
      SELECT connection_id, created_at, coalesce(cost, least_cost) FROM runs
      WHERE row = ? AND coalesce(cost, least_cost) IS NOT NULL`).run(row);
    db.sql('DELETE FROM runs WHERE row = ?').run(row);
    return next() !== null;
  }

  if (next() !== null) schedule(0);

  return {
    /** Starts deleting the rows of runs with a `deleted_at` of 0. */
    start: () => schedule(0),
    close() {
      closed = true;
      nextStep.cancel();
    },
  };
}
