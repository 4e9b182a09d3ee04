/** Writes the texts that runs are found by, a few pieces at a time: what else wants to write waits no longer than that. */
import { UserFacingError } from '../../../shared/errors.ts';
import type { Database } from '../database-access.ts';
import { textPieces } from '../run-text.ts';
import { createDelayed, RETRY_MS, type Timer } from '../timer.ts';

export interface IndexWriter {
  /** `row`: the run's; resolves when all of it is written, or the run is gone. */
  add(row: number, text: string): Promise<void>;
  /** Resolves what waits without writing it. */
  close(): void;
}

interface Job {
  row: number;
  /** Null before the earlier pieces are gone. */
  pieces: string[] | null;
  text: string;
  done: () => void;
}

/**
 * Pieces in one transaction, of about 10 ms: whatever it adds, it writes the pages above that. It ends sooner where
 * main waits for it.
 */
const TOGETHER = 16;
/** Pieces of an index that was cut short, deleted at once. */
const REMOVED = 4;
/** Between two transactions, several times as long as one takes: who else writes rarely meets a locked ledger. */
const PAUSE_MS = 8;

/** `isWanted`: whether somebody else waits to write. */
export function createIndexWriter(
  db: Database,
  timer: Timer,
  isWanted: () => boolean,
): IndexWriter {
  const jobs: Job[] = [];
  const nextStep = createDelayed(timer, step);
  let closed = false;

  function schedule(delayMs: number): void {
    if (!closed) nextStep.start(delayMs);
  }

  /** One small transaction. */
  function step(): void {
    const [job] = jobs;
    if (job === undefined) return;
    try {
      db.write(() => advance(job));
    } catch (cause) {
      // The ledger reports a full disk; a search that finds less is not worth a second notice.
      if (!(cause instanceof UserFacingError)) throw cause;
      job.pieces = null;
      schedule(RETRY_MS);
      return;
    }
    if (job.pieces?.length === 0) {
      jobs.shift();
      job.done();
    }
    if (jobs.length > 0) schedule(PAUSE_MS);
  }

  function advance(job: Job): void {
    if (job.pieces === null) {
      const { changes } = db
        .sql(`DELETE FROM run_texts WHERE row IN
          (SELECT row FROM run_texts WHERE run = ? LIMIT ${REMOVED})`)
        .run(job.row);
      // What of it is gone is written again by the next process, should this one end before.
      if (changes !== 0) db.sql('UPDATE runs SET indexed = 0 WHERE row = ?').run(job.row);
      if (Number(changes) === REMOVED) return;
      job.pieces = textPieces(job.text);
    }
    // Also one that is hidden: its deletion may be undone.
    const exists = db.sql('SELECT 1 FROM runs WHERE row = ? AND deleted_at IS NOT 0').get(job.row);
    if (!exists) {
      job.pieces = [];
      return;
    }
    let count = 0;
    for (const piece of job.pieces.slice(0, TOGETHER)) {
      db.sql('INSERT INTO run_texts (run, text) VALUES (?, ?)').run(job.row, piece);
      count += 1;
      if (isWanted()) break;
    }
    job.pieces = job.pieces.slice(count);
    if (job.pieces.length === 0) {
      db.sql('UPDATE runs SET indexed = 1 WHERE row = ?').run(job.row);
    }
  }

  return {
    add: (row, text) =>
      new Promise((resolve) => {
        if (closed) return resolve();
        jobs.push({ row, pieces: null, text, done: resolve });
        schedule(0);
      }),
    close() {
      closed = true;
      nextStep.cancel();
      for (const { done } of jobs.splice(0)) done();
    },
  };
}
