/** Keeps the texts that runs are found by, written a piece at a time behind everything else. */
import { AppFailure } from '../../shared/errors.ts';
import type { Reply } from '../../shared/operations/operation.ts';
import type { Database } from './database-access.ts';
import { readStoredRuns, storedColumns } from './run-rows.ts';
import { runText, textPieces } from './run-text.ts';
import { systemTimer, type Timer } from './timer.ts';
import { RETRY_MS } from './write-buffer.ts';

export interface RunIndex {
  /** A run that has ended, with what its reply says; null where that cannot be read. */
  add(runId: string, reply: Reply | null): void;
  /**
   * Runs that an earlier process left out, with those that a deletion hides; resolves when all are done. Never
   * rejects.
   */
  catchUp(replyOf: (runId: string) => Promise<Reply | null>): Promise<void>;
  close(): void;
}

interface IndexJob {
  row: number;
  /** Null before the earlier pieces are gone. */
  pieces: string[] | null;
  text: string;
}

export function createRunIndex(db: Database, timer: Timer = systemTimer): RunIndex {
  const jobs: IndexJob[] = [];
  let cancelTimer: (() => void) | null = null;
  let closed = false;
  let whenIdle: (() => void)[] = [];

  function schedule(delayMs: number): void {
    if (closed) return;
    cancelTimer ??= timer.after(delayMs, () => {
      cancelTimer = null;
      step();
    });
  }

  /** One small transaction. */
  function step(): void {
    const [job] = jobs;
    if (job === undefined) return;
    try {
      db.write(() => advance(job));
    } catch (cause) {
      // The ledger reports a full disk; a search that finds less is not worth a second notice.
      if (!(cause instanceof AppFailure)) throw cause;
      schedule(RETRY_MS);
      return;
    }
    if (job.pieces?.length === 0) jobs.shift();
    if (jobs.length > 0) schedule(0);
    else idle();
  }

  function advance(job: IndexJob): void {
    if (job.pieces === null) {
      db.sql('DELETE FROM run_texts WHERE run = ?').run(job.row);
      job.pieces = textPieces(job.text);
    }
    const piece = job.pieces.shift();
    // Also one that is hidden: its deletion may be undone.
    const exists = db.sql('SELECT 1 FROM runs WHERE row = ? AND removed = 0').get(job.row);
    if (!exists) {
      job.pieces = [];
      return;
    }
    if (piece !== undefined) {
      db.sql('INSERT INTO run_texts (run, text) VALUES (?, ?)').run(job.row, piece);
    }
    if (job.pieces.length === 0) {
      db.sql('UPDATE runs SET indexed = 1 WHERE row = ?').run(job.row);
    }
  }

  function idle(): void {
    const waiting = whenIdle;
    whenIdle = [];
    for (const resolve of waiting) resolve();
  }

  function add(runId: string, reply: Reply | null): void {
    const row = db.sql('SELECT row FROM runs WHERE id = ? AND removed = 0').get(runId)?.row;
    const [run] = readStoredRuns(
      db,
      db.sql(`SELECT ${storedColumns} FROM runs WHERE id = ?`).all(runId),
    );
    if (typeof row !== 'number' || run === undefined) return;
    jobs.push({ row, pieces: null, text: runText(run, reply) });
    schedule(0);
  }

  return {
    add,

    async catchUp(replyOf) {
      for (let after = 0; !closed; ) {
        const next = db
          .sql(`SELECT row, id FROM runs WHERE indexed = 0 AND removed = 0 AND row > ?
            AND status NOT IN ('queued', 'running') ORDER BY row LIMIT 1`)
          .get(after);
        if (next === undefined) return;
        after = Number(next.row);
        const id = String(next.id);
        // A run of an operation that this Gatehouse does not know is found by its request alone.
        const reply = await replyOf(id).catch(() => null);
        if (closed) return;
        add(id, reply);
        if (jobs.length > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
      }
    },

    close() {
      closed = true;
      cancelTimer?.();
      cancelTimer = null;
      idle();
    },
  };
}
