/** Records every run and its events. */
import { z } from 'zod';
import type { ListedRuns, RunMetrics } from '../../shared/contract/runs.ts';
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import { type RunSummary, runStatusSchema } from '../../shared/run.ts';
import { newestFirst } from '../../shared/run-sort.ts';
import { systemTimer, type Timer } from '../base/timer.ts';
import { runInSteps } from '../base/yield-to-event-loop.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { Cuts } from '../redaction/secret-search.ts';
import type { Database } from './database-access.ts';
import { RUNS_AT_ONCE } from './deletions.ts';
import { createEventReader, type EventReader } from './event-reader.ts';
import { cutChunkRows, insertEvents, readLastSeq } from './event-rows.ts';
import { createEventWriter, type EventWriter } from './event-writer.ts';
import type { Journals } from './journals.ts';
import { readListedComparisons } from './listed-comparisons.ts';
import { createPacker, encodeRun } from './pack-journals.ts';
import { createUnreadableNotice, readIds, readRows } from './rows.ts';
import { createRunRemoval } from './run-removal.ts';
import {
  findStoredRun,
  insertRun,
  type NewRun,
  type RunFields,
  readSummaries,
  type StoredRun,
  summaryColumns,
  updateRun,
  withCurrentMedia,
} from './run-rows.ts';
import {
  createRunCondition,
  listCheckRows,
  type RunMetricsQuery,
  type RunQuery,
  type RunSearch,
  writeTimeOrder,
} from './search/run-search.ts';
import type { Searcher } from './search/searcher.ts';
import { isFileError, toStorageError } from './storage-error.ts';
import { createTurnWrites } from './turn-writes.ts';

export type { StoredRun } from './run-rows.ts';
export type { RunQuery } from './search/run-search.ts';

const outcomeSchema = z.object({
  id: z.string(),
  cell: z.int(),
  status: runStatusSchema,
  isEmpty: z.int().transform((flag) => flag === 1),
  /** Gatehouse closed during the run. */
  isInterrupted: z.int().transform((flag) => flag === 1),
});
type CellOutcome = z.infer<typeof outcomeSchema>;

export interface LedgerFiles {
  db: Database;
  /** Null if journals can't be kept; then a stream's events are rows at once. */
  journals: Journals | null;
  path: string;
  search: Pick<Searcher, 'runs' | 'metrics'>;
}

/** Times are Unix milliseconds. Reads skip deleted runs, unless they say otherwise. */
export interface Ledger
  extends EventReader,
    Pick<EventWriter, 'append' | 'save' | 'room' | 'flush'> {
  /** Writes the run and the rows of `record` in one transaction; throws a `UserFacingError`. */
  createRun(run: NewRun, record?: () => void): void;
  /** Writes the fields after all earlier events, immediately or with the next events. */
  update(runId: string, fields: RunFields, when?: 'at once' | 'with events'): void;
  /**
   * Writes the fields in one transaction with those of a few other runs, at the end of this turn of
   * the event loop or a later one; resolves then, even if the disk fails.
   */
  updateTogether(runId: string, fields: RunFields): Promise<void>;
  /**
   * Calls `work` in one transaction with a few others, once the fields of `updateTogether` are
   * written. Resolves when it's on disk. Rejects if `work` throws, which undoes only its own changes,
   * or if the disk fails.
   */
  writeTogether(work: () => void): Promise<void>;
  /**
   * Masks pieces of secrets in the run's chunks. If the disk fails, readers and rows get masked
   * chunks nevertheless, and packing masks the journal before deleting it; the next start also
   * searches the journal again.
   */
  cut(runId: string, cuts: Cuts): Promise<void>;
  /** Masks what `cut` couldn't mask in journals; throws a `UserFacingError` if it still can't. */
  retryCuts(): Promise<void>;
  /** Lists the runs whose journals an earlier process left. */
  listLeftJournals(): string[];
  /**
   * Makes the journal that an earlier process left readable, masks the secrets that `getRedactor`
   * returns for its connection, and inserts its run if the ledger lost it; resolves to false if
   * `signal` aborts first.
   */
  recoverJournal(
    runId: string,
    getRedactor: (connectionId: string) => Promise<Redactor>,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Keeps journals and rows in place until the returned function is called. */
  holdPacking(): () => void;
  /** Returns false if something couldn't be written. */
  close(): boolean;
  /** Set this to be called when events can't be written; they are kept in memory meanwhile. */
  onProblem: (error: AppError) => void;
  /** Returns null if the run doesn't exist; `seq` is the number of its last event. */
  run(id: string): StoredRun | null;
  /** Also finds a run that is hidden by a deletion. */
  runOrHidden(id: string): StoredRun | null;
  /** Returns the IDs of runs that haven't ended, oldest first. */
  listUnfinished(): string[];
  /** Lists runs by time; throws for other orders, which only `search` supports. */
  list(query: RunQuery): ListedRuns;
  /** Finds runs by words in the request and response; rejects like the searcher. */
  search(query: RunSearch, signal?: AbortSignal): Promise<ListedRuns>;
  /** Measures the runs that match; rejects like the searcher. */
  metrics(query: RunMetricsQuery, signal?: AbortSignal): Promise<RunMetrics>;
  /** Returns the newest attempt of each cell at `places`, or of all cells if null. */
  getAttempts(comparisonId: string, places: readonly number[] | null): RunSummary[];
  /** Returns the newest attempts as partial rows, which is fast for a thousand cells. */
  getOutcomes(comparisonId: string, places: readonly number[] | null): CellOutcome[];
  /** Returns the first 100 runs that used this run's output, oldest first. */
  next(runId: string): RunSummary[];
  /** Returns null if the run doesn't exist. */
  summary(id: string): RunSummary | null;
  /** Sets `deleted_at`; events of the run that aren't written yet will be. */
  hide(id: string, deletedAt: number): void;
  /**
   * Permanently deletes some runs of that deletion, and returns true if others may be left; their
   * rows are removed in smaller steps.
   */
  purge(deletedAt: number): boolean;
  /** Returns the names of all models that have runs, in alphabetical order. */
  models(): string[];
}

export function createLedger(
  { db, journals, path, search }: LedgerFiles,
  timer: Timer = systemTimer,
): Ledger {
  const onUnreadable = () => db.warn(createUnreadableNotice('events'));
  const findJournal = (runId: string) => journals?.find(runId) ?? null;

  /** Includes hidden runs, whose last events may not be written yet. */
  const getRow = (runId: string) =>
    getNumber(db.sql('SELECT row FROM runs WHERE id = ? AND deleted_at IS NOT 0').get(runId)?.row);

  const removal = createRunRemoval(db, journals, timer);
  const packer = journals && createPacker({ db, journals, ledgerPath: `${path}-wal`, timer });
  const writer = createEventWriter({
    journals,
    findRow: getRow,
    encodeRun: (runId) => encodeRun(db, runId),
    store: (runs) =>
      db.write(() => {
        for (const [row, events, fields] of runs) {
          insertEvents(db, row, events);
          updateRun(db, row, fields);
        }
      }),
    isInTransaction: () => db.isWriting(),
    onExchangeEnd: (runId, row) => packer?.pack(runId, row),
    onProblem(error) {
      ledger.onProblem(error);
    },
    timer,
  });

  const turn = createTurnWrites(db, writer.saveAll);

  const current = <Run extends RunSummary>(runs: readonly Run[]): Run[] => {
    const waiting = runs.map((run) => ({ ...run, ...writer.fields(run.id) }));
    return withCurrentMedia(db, waiting);
  };

  /** Use the last event's number, because a crash may leave an outdated number in the run's row. */
  function withLastSeq(run: StoredRun): StoredRun {
    const row = getRow(run.id);
    const seqs = [
      row === null ? 0 : readLastSeq(db, row, onUnreadable),
      findJournal(run.id)?.lastSeq() ?? 0,
      writer.events(run.id).at(-1)?.seq ?? 0,
    ];
    return { ...run, seq: Math.max(run.seq, ...seqs) };
  }

  function getComparisons({ folded = false }: RunQuery, runs: readonly RunSummary[]) {
    const ids = folded ? new Set(runs.flatMap(({ comparisonId }) => comparisonId ?? [])) : [];
    return readListedComparisons(db, [...ids]);
  }

  function runOrHidden(id: string): StoredRun | null {
    const stored = findStoredRun(db, id);
    const [run] = current(stored === null ? [] : [stored]);
    return run === undefined ? null : withLastSeq(run);
  }

  const ledger: Ledger = {
    ...createEventReader({
      db,
      findJournal,
      save: writer.save,
      waiting: writer.events,
      onUnreadable,
    }),
    createRun: (run, record) =>
      db.write(() => {
        insertRun(db, run);
        record?.();
      }),
    append: writer.append,
    update: writer.update,
    updateTogether(runId, fields) {
      writer.update(runId, fields, 'in turn');
      return turn.saveFields(runId);
    },
    writeTogether: turn.write,
    save: writer.save,
    room: writer.room,
    flush: writer.flush,
    async cut(runId, cuts) {
      writer.save(runId);
      writer.cut(runId, cuts);
      const journal = findJournal(runId);
      journal?.cut(cuts);
      const row = getRow(runId);
      try {
        const rows = new Map([...cuts].filter(([seq]) => !journal?.has(seq)));
        if (row !== null && rows.size > 0) db.write(() => cutChunkRows(db, row, rows));
        if (journal !== null) await runInSteps(journal.writeCuts());
      } catch (cause) {
        if (!(cause instanceof UserFacingError) && !isFileError(cause)) throw cause;
      }
    },
    async retryCuts() {
      for (const journal of journals?.listUnmasked() ?? []) {
        try {
          await runInSteps(journal.writeCuts());
        } catch (cause) {
          if (!isFileError(cause)) throw cause;
          const what = 'An API key in pieces couldn’t be masked on disk';
          throw new UserFacingError(toStorageError(cause, what));
        }
      }
    },
    listLeftJournals: () => journals?.listLeft() ?? [],
    recoverJournal: async (runId, getRedactor, signal) =>
      packer === null || packer.packLeft(runId, getRedactor, signal),
    holdPacking: () => packer?.hold() ?? (() => undefined),
    close() {
      removal.close();
      const isWritten = writer.close();
      packer?.close();
      return isWritten;
    },
    onProblem: (_error) => undefined,

    run: (id) =>
      db.sql('SELECT 1 FROM shown_runs WHERE id = ?').get(id) === undefined
        ? null
        : runOrHidden(id),
    runOrHidden,

    listUnfinished: () =>
      readIds(
        db,
        "SELECT id FROM shown_runs WHERE status IN ('queued', 'running') ORDER BY created_at, id",
      ),

    list(query) {
      const { limit, sort = newestFirst } = query;
      if (sort.by !== 'time') throw new Error(`Can’t list runs by ${sort.by}.`);
      const checkRows = listCheckRows(db, query);
      const [where, ...values] = createRunCondition({ ...query, checkRows });
      const rows = db
        .sql(`SELECT ${summaryColumns} FROM shown_runs ${where} ${writeTimeOrder(sort)} LIMIT ?`)
        .all(...values, limit + 1);
      const runs = current(readSummaries(db, rows.slice(0, limit)));
      return { runs, comparisons: getComparisons(query, runs), more: rows.length > limit };
    },

    async search(query, signal) {
      const { ids, more } = await search.runs(query, signal);
      const rows = db
        .sql(`SELECT ${summaryColumns} FROM shown_runs
          WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(ids));
      const places = new Map(ids.map((id, place) => [id, place]));
      const runs = current(readSummaries(db, rows)).toSorted(
        (a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0),
      );
      return { runs, comparisons: getComparisons(query, runs), more };
    },

    metrics: (query, signal) => search.metrics({ ...query, search: query.search.trim() }, signal),

    getAttempts(comparisonId, places) {
      const rows = db
        .sql(`SELECT ${summaryColumns} FROM shown_runs WHERE row IN
          (SELECT max(row) FROM shown_runs WHERE comparison_id = ?1
            AND (?2 IS NULL OR cell IN (SELECT value FROM json_each(?2))) GROUP BY cell)`)
        .all(comparisonId, places === null ? null : JSON.stringify(places));
      return current(readSummaries(db, rows));
    },

    getOutcomes(comparisonId, places) {
      const rows = db
        .sql(`SELECT id, cell, status, max(row),
          json_valid(figures) AND figures ->> '$.noResult' IS NOT NULL AS isEmpty,
          coalesce(json_valid(error) AND error ->> '$.kind' = 'interrupted', 0) AS isInterrupted
          FROM shown_runs WHERE comparison_id = ?1
          AND (?2 IS NULL OR cell IN (SELECT value FROM json_each(?2))) GROUP BY cell`)
        .all(comparisonId, places === null ? null : JSON.stringify(places));
      return readRows(db, outcomeSchema, rows, 'runs').map((row) => ({
        ...row,
        status: writer.fields(row.id)?.status ?? row.status,
      }));
    },

    next(runId) {
      const rows = db
        .sql(`SELECT ${summaryColumns} FROM shown_runs WHERE source_run_id = ?
          ORDER BY created_at, id LIMIT 100`)
        .all(runId);
      return current(readSummaries(db, rows));
    },

    summary(id) {
      const rows = db.sql(`SELECT ${summaryColumns} FROM shown_runs WHERE id = ?`).all(id);
      return current(readSummaries(db, rows))[0] ?? null;
    },

    hide(id, deletedAt) {
      db.write(() => db.sql('UPDATE runs SET deleted_at = ? WHERE id = ?').run(deletedAt, id));
    },
    purge(deletedAt) {
      // A restart may have kept a check's runs from being hidden with their comparison.
      const rows = db.write(() =>
        db
          .sql(`UPDATE runs SET deleted_at = 0 WHERE row IN
            (SELECT row FROM runs WHERE deleted_at = ?1 OR (deleted_at IS NULL AND comparison_id IN
              (SELECT id FROM comparisons WHERE deleted_at = ?1 AND check_id IS NOT NULL))
              LIMIT ${RUNS_AT_ONCE})
            RETURNING id`)
          .all(deletedAt),
      );
      for (const { id } of rows) writer.forget(String(id));
      removal.start();
      return rows.length === RUNS_AT_ONCE;
    },

    models() {
      return db
        .sql(
          "SELECT DISTINCT model FROM shown_runs WHERE model <> '' AND check_id IS NULL ORDER BY model",
        )
        .all()
        .map(({ model }) => String(model));
    },
  };
  return ledger;
}
