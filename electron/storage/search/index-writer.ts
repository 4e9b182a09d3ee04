/** Indexes the text of runs in small steps, so that other writes don't wait. */
import { createDelayed, RETRY_MS, type Timer } from '../../base/timer.ts';
import { type Database, tryWriting } from '../database-access.ts';
import { splitIntoPieces } from './run-text.ts';

interface Job {
  row: number;
  /** Null until the earlier pieces are deleted. */
  pieces: string[] | null;
  text: string;
  done: () => void;
}

/**
 * A transaction with this many pieces takes about 10 ms; it ends early if the main process waits.
 */
const PIECES_PER_STEP = 16;
const REMOVED_PER_STEP = 4;
/** Pauses for this long, so that other writers rarely find the ledger locked. */
const PAUSE_MS = 8;

export interface IndexWriter {
  /** Resolves when the text of the run at `row` is indexed or the run is deleted. */
  add(row: number, text: string): Promise<void>;
  /** Leaves the remaining runs for the next start. */
  close(): void;
}

export function createIndexWriter(
  db: Database,
  timer: Timer,
  isWanted: () => boolean,
): IndexWriter {
  const jobs: Job[] = [];
  const nextStep = createDelayed(timer, step);
  let closed = false;

  function step(): void {
    const [job] = jobs;
    if (job === undefined) return;
    // The event writer already reports a full disk.
    if (!tryWriting(db, () => advance(job))) {
      job.pieces = null;
      nextStep.start(RETRY_MS);
      return;
    }
    if (job.pieces?.length === 0) {
      jobs.shift();
      job.done();
    }
    if (jobs.length > 0) nextStep.start(PAUSE_MS);
  }

  function advance(job: Job): void {
    if (job.pieces === null) {
      const { changes } = db
        .sql(`DELETE FROM run_texts WHERE row IN
          (SELECT row FROM run_texts WHERE run = ? LIMIT ${REMOVED_PER_STEP})`)
        .run(job.row);
      // If this process exits early, the next one indexes the run again.
      if (changes !== 0) db.sql('UPDATE runs SET indexed = 0 WHERE row = ?').run(job.row);
      if (Number(changes) === REMOVED_PER_STEP) return;
      job.pieces = splitIntoPieces(job.text);
    }
    // Index hidden runs too, because Undo may restore them.
    const exists = db.sql('SELECT 1 FROM runs WHERE row = ? AND deleted_at IS NOT 0').get(job.row);
    if (!exists) {
      job.pieces = [];
      return;
    }
    let count = 0;
    for (const piece of job.pieces.slice(0, PIECES_PER_STEP)) {
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
      new Promise<void>((resolve) => {
        if (closed) return resolve();
        jobs.push({ row, pieces: null, text, done: resolve });
        nextStep.start(0);
      }),
    close() {
      closed = true;
      nextStep.close();
      for (const { done } of jobs.splice(0)) done();
    },
  };
}
