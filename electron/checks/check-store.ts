/** Stores checks: what they asked, and the verdicts or figures that outlive their runs. */
import {
  type Check,
  type CheckProgress,
  type CheckState,
  checkProgressSchema,
  checkSchema,
  type RowVerdict,
} from '../../shared/checks/check.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import type { Database } from '../storage/database-access.ts';
import { RUNS_AT_ONCE, showRuns } from '../storage/deletions.ts';
import {
  createJsonColumn,
  insertFields,
  readIds,
  readRows,
  selectFields,
  updateFields,
} from '../storage/rows.ts';

const rowSchema = checkSchema.extend({ body: createJsonColumn(checkSchema.shape.body) });
const columns = selectFields(rowSchema);

const tallySchema = checkProgressSchema.omit({ state: true, running: true });

/** Methods throw `not-found` if the check doesn't exist. */
export interface CheckStore {
  create(check: Check): void;
  /** Evidence whose run is deleted has no run ID. */
  get(id: string): Check;
  /** Newest first; skips damaged rows. */
  list(): Check[];
  /** `isSettled` marks a check whose requests have all ended and are part of the body. */
  save(id: string, body: Check['body'], isSettled: boolean): void;
  /** Returns the IDs of the checks that an earlier process left unsettled. */
  listUnsettled(): string[];
  /** Returns the last probes of the model, newest first. */
  listProbes(connectionId: string, model: string): Check[];
  /** Counts requests, and the newest run of each. */
  count(id: string): Omit<CheckProgress, 'state' | 'running'>;
  /** Returns the state of a check that isn't being sent. */
  getIdleState(check: Check): CheckState;
  /** Returns the IDs of the check's runs that haven't ended. */
  listRunning(id: string): string[];
  /** Hides the check's comparisons and files, and the check itself unless `keepsResults`. */
  hide(id: string, deletedAt: number, keepsResults: boolean): void;
  /** Hides the check's runs in steps. */
  hideRuns(id: string, deletedAt: number): Promise<void>;
  showRuns(deletedAt: number): Promise<void>;
}

export function createCheckStore(db: Database): CheckStore {
  function read(where: string, ...values: string[]): Check[] {
    const rows = db
      .sql(`SELECT ${columns} FROM checks WHERE deleted_at IS NULL ${where} ORDER BY row DESC`)
      .all(...values);
    return readRows(db, rowSchema, rows, 'checks');
  }

  function get(id: string): Check {
    const [check] = read('AND id = ?', id);
    if (check === undefined) throw new UserFacingError(noCheck);
    return { ...check, body: dropDeletedRuns(check.body) };
  }

  function dropDeletedRuns(body: Check['body']): Check['body'] {
    if (body.kind === 'load') return body;
    const runIds = body.verdicts.flatMap(({ evidence }) => evidence?.runId ?? []);
    const existing = new Set(
      readIds(
        db,
        'SELECT id FROM shown_runs WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(runIds),
      ),
    );
    const verdicts = body.verdicts.map((verdict): RowVerdict => {
      const { evidence } = verdict;
      if (evidence === null || existing.has(evidence.runId ?? '')) return verdict;
      return { ...verdict, evidence: { ...evidence, runId: null } };
    });
    return { ...body, verdicts };
  }

  const exists = (sql: string, id: string) => db.sql(`${sql} LIMIT 1`).get(id) !== undefined;

  return {
    create({ id, title, createdAt, body }: Check): void {
      const { kind } = body;
      insertFields(db, 'checks', { id, kind, title, createdAt, body });
    },

    get,
    list: () => read(''),

    save(id: string, body: Check['body'], settled: boolean): void {
      db.write(() => updateFields(db, 'checks', { body, settled }, 'id = ?', id));
    },

    listUnsettled: () =>
      readIds(db, 'SELECT id FROM checks WHERE settled = 0 AND deleted_at IS NULL ORDER BY row'),

    listProbes: (connectionId: string, model: string) =>
      read(
        `AND kind = 'probe' AND body ->> '$.connectionId' = ?
          AND EXISTS (SELECT 1 FROM json_each(body, '$.models') WHERE value = ?)`,
        connectionId,
        model,
      ).slice(0, MAX_PROBES),

    count(id: string) {
      const row = db
        .sql(`SELECT
            (SELECT count(*) FROM ${CELLS}) AS requests,
            count(*) AS ended,
            coalesce(sum(status NOT IN ('succeeded', 'cancelled')), 0) AS failed,
            (SELECT sum(cost) FROM shown_runs WHERE check_id = ?1) AS dollars
          FROM (SELECT max(row), status FROM shown_runs WHERE check_id = ?1
            GROUP BY comparison_id, cell)
          WHERE status NOT IN ('queued', 'running')`)
        .get(id);
      return tallySchema.parse(row);
    },

    getIdleState({ id, body }: Check): CheckState {
      if (exists(`SELECT 1 FROM ${CELLS} AND wanted > sent`, id)) return 'held';
      return body.stopped !== null || exists(`SELECT 1 FROM ${CELLS} AND wanted = 0`, id)
        ? 'stopped'
        : 'done';
    },

    listRunning: (id: string) =>
      readIds(
        db,
        `SELECT id FROM runs WHERE status IN ('queued', 'running') AND check_id = ?
          AND deleted_at IS NULL`,
        id,
      ),

    hide(id: string, deletedAt: number, keepsResults: boolean): void {
      db.write(() => {
        get(id);
        db.sql('UPDATE comparisons SET deleted_at = ? WHERE check_id = ?').run(deletedAt, id);
        db.sql(`UPDATE media SET deleted_at = ? WHERE deleted_at IS NULL AND hash IS NOT NULL
          AND run_id IN (SELECT id FROM runs WHERE check_id = ?)`).run(deletedAt, id);
        db.sql(`UPDATE media SET deleted_at = ? WHERE deleted_at IS NULL AND role = 'check'
          AND EXISTS (SELECT 1 FROM comparisons WHERE check_id = ? AND instr(plan, media.id) > 0)`).run(
          deletedAt,
          id,
        );
        if (!keepsResults) {
          db.sql('UPDATE checks SET deleted_at = ? WHERE id = ?').run(deletedAt, id);
        }
      });
    },

    async hideRuns(id: string, deletedAt: number): Promise<void> {
      const hide = db.sql(`UPDATE runs SET deleted_at = ?3 WHERE row IN (SELECT row FROM runs
        WHERE check_id = ?1 AND row > ?2 AND deleted_at IS NULL ORDER BY row LIMIT ${RUNS_AT_ONCE})
        RETURNING row`);
      let row: number | null = 0;
      while (row !== null) {
        const rows = db.write(() => hide.all(id, row, deletedAt));
        row = rows.length === 0 ? null : Math.max(...rows.map((each) => Number(each.row)));
        await yieldToEventLoop(Number.POSITIVE_INFINITY);
      }
    },

    showRuns: (deletedAt: number) => showRuns(db, deletedAt),
  };
}

/** Earlier probes are hardly about the same model any more. */
const MAX_PROBES = 5;

/** The cells of the check `?1`. */
const CELLS = `comparison_cells WHERE comparison IN
  (SELECT row FROM comparisons WHERE check_id = ?1 AND deleted_at IS NULL)`;

const noCheck = appError('not-found', 'This check no longer exists.', 'Choose another one.');
