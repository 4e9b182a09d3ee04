/** Deletes runs: hidden from every list at once, and when that is final, removed a few rows at a time. */
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import type { Database } from './database-access.ts';
import { getKeys } from './event-key.ts';
import type { FrameWriter } from './frames/frame-writer.ts';
import { isCorruption } from './storage-error.ts';
import { createDelayed, RETRY_MS, type Timer } from './timer.ts';

/** Deleted in about 2 ms each: main's thread is also the desktop's UI thread. */
const EVENTS = 250;
const TEXTS = 2;

export interface RunRemoval {
  /** Every method throws a `UserFacingError` where that cannot be recorded. */
  hide(runId: string, deletionId: string): void;
  /** Returns whether there was a run to restore. */
  restore(deletionId: string): boolean;
  removeHidden(deletionId: string): void;
  remove(runId: string): void;
  /** What is left is deleted at the next start. */
  close(): void;
}

export function createRunRemoval(
  db: Database,
  writer: Pick<FrameWriter, 'remove'>,
  timer: Timer,
): RunRemoval {
  const nextStep = createDelayed(timer, step);
  let closed = false;
  /** By the run's row: whether its frames are gone, or the writer has been asked to delete them. */
  const frames = new Map<number, 'asked' | 'gone'>();
  /** The rows of runs that a damaged page keeps until the next start. */
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
      // Where it is damage, the next run need not wait.
      schedule(damaged.size > before ? 0 : RETRY_MS);
    }
  }

  function passOver(row: number): void {
    damaged.add(row);
    db.warn(keptByDamage);
  }

  /** The row of a run of which something is left. */
  function next(): number | null {
    return getNumber(
      db
        .sql(`SELECT row FROM runs WHERE removed = 1
          AND row NOT IN (SELECT value FROM json_each(?)) LIMIT 1`)
        .get(JSON.stringify([...damaged]))?.row,
    );
  }

  /** The run's row goes last: its number must not be given to another run before. */
  function removeFrames(row: number): void {
    if (frames.has(row)) return;
    frames.set(row, 'asked');
    writer.remove(row, (cause) => {
      if (cause === null) frames.set(row, 'gone');
      else frames.delete(row);
      if (isCorruption(cause)) passOver(row);
      schedule(cause === null || isCorruption(cause) ? 0 : RETRY_MS);
    });
  }

  /** Returns how many were deleted, at most `EVENTS`. */
  function deleteEvents(row: number): number {
    const { changes } = db
      .sql(`DELETE FROM events WHERE key IN
        (SELECT key FROM events WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?)`)
      .run(...getKeys(row), EVENTS);
    return Number(changes);
  }

  /** Whether something is left that can be deleted now. What cannot be is passed over from now on. */
  function deleteSome(): boolean {
    const row = next();
    if (row === null) return false;
    try {
      return deleteRows(row);
    } catch (cause) {
      if (isCorruption(cause)) {
        passOver(row);
        removeFrames(row);
      }
      throw cause;
    }
  }

  function deleteRows(row: number): boolean {
    const texts = db
      .sql(`DELETE FROM run_texts WHERE row IN
        (SELECT row FROM run_texts WHERE run = ? LIMIT ${TEXTS})`)
      .run(row).changes;
    // Each in its own transaction: what is damaged does not keep the others.
    if (Number(texts) > 0 || deleteEvents(row) > 0) return true;
    if (frames.get(row) !== 'gone') {
      removeFrames(row);
      return false;
    }
    // The number can be given to another run now.
    frames.delete(row);
    db.sql(`INSERT INTO deleted_costs (connection_id, created_at, dollars)
      SELECT connection_id, created_at, coalesce(cost, least_cost) FROM runs
      WHERE row = ? AND coalesce(cost, least_cost) IS NOT NULL`).run(row);
    db.sql('DELETE FROM runs WHERE row = ?').run(row);
    return next() !== null;
  }

  if (next() !== null) schedule(0);

  /** `where` is a condition on runs with one parameter. */
  function remove(where: string, value: string): void {
    db.write(() => db.sql(`UPDATE runs SET removed = 1 WHERE ${where}`).run(value));
    schedule(0);
  }

  return {
    hide(runId, deletionId) {
      db.write(() => db.sql('UPDATE runs SET deletion = ? WHERE id = ?').run(deletionId, runId));
    },
    restore(deletionId) {
      const { changes } = db.write(() =>
        db.sql('UPDATE runs SET deletion = NULL WHERE deletion = ?').run(deletionId),
      );
      return Number(changes) > 0;
    },
    removeHidden: (deletionId) => remove('deletion = ?', deletionId),
    remove: (runId) => remove('id = ?', runId),
    close() {
      closed = true;
      nextStep.cancel();
    },
  };
}

const keptByDamage: Notice = {
  id: 'removal-damaged',
  level: 'warning',
  message: 'Some deleted runs still use disk space, because the ledger is damaged.',
  nextStep: 'Check the disk for errors.',
};
