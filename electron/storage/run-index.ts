/** Indexes ended runs for searches. */
import type { RunResponse } from '../../shared/operations/operation.ts';
import type { Database } from './database-access.ts';
import { findStoredRun } from './run-rows.ts';
import { runText } from './search/run-text.ts';
import type { Searcher } from './search/searcher.ts';

export interface RunIndex {
  /** Indexes an ended run, including a hidden one; ignores a deleted run or one of a check. */
  add(runId: string, response: RunResponse | null): Promise<void>;
  /** Indexes runs that an earlier process didn't, including hidden runs; never rejects. */
  catchUp(getResponse: (runId: string) => Promise<RunResponse | null>): Promise<void>;
  /** Ends `catchUp`. */
  close(): void;
}

export function createRunIndex(db: Database, search: Pick<Searcher, 'index'>): RunIndex {
  let closed = false;

  async function add(runId: string, response: RunResponse | null): Promise<void> {
    const row = db
      .sql('SELECT row FROM runs WHERE id = ? AND deleted_at IS NOT 0 AND check_id IS NULL')
      .get(runId)?.row;
    const run = typeof row === 'number' ? findStoredRun(db, runId) : null;
    if (typeof row !== 'number' || run === null) return;
    await search.index(row, runText(run, response));
  }

  return {
    add,

    async catchUp(getResponse) {
      for (let after = 0; !closed; ) {
        const next = db
          .sql(`SELECT row, id FROM runs WHERE indexed = 0 AND deleted_at IS NOT 0 AND row > ?
            AND status NOT IN ('queued', 'running') ORDER BY row LIMIT 1`)
          .get(after);
        if (next === undefined) return;
        after = Number(next.row);
        const id = String(next.id);
        const response = await getResponse(id).catch(() => null);
        if (closed) return;
        await add(id, response);
      }
    },

    close() {
      closed = true;
    },
  };
}
