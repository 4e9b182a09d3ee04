/** Stores runs as ledger rows and validates them when reading. */
import { z } from 'zod';
import { appErrorSchema } from '../../shared/error-schema.ts';
import { mediaSchema } from '../../shared/media.ts';
import { sumTokens } from '../../shared/operations/response/usage.ts';
import type { Quantities } from '../../shared/quantities.ts';
import {
  figuresSchema,
  initialPhase,
  phaseSchema,
  type RunInput,
  type RunSummary,
  runInputSchema,
  runSummarySchema,
  timingsSchema,
} from '../../shared/run.ts';
import type { Database } from './database-access.ts';
import { jsonColumn, readRows } from './rows.ts';
import { firstText } from './search/run-text.ts';

export type StoredRun = RunSummary &
  RunInput & {
    baseUrl: string;
    seq: number;
  };

export type NewRun = StoredRun & {
  leastCost?: number | null;
};

export type RunFields = Partial<
  Pick<
    StoredRun,
    | 'status'
    | 'startedAt'
    | 'finishedAt'
    | 'httpStatus'
    | 'error'
    | 'timings'
    | 'figures'
    | 'phase'
    | 'media'
    | 'cost'
    | 'seq'
  >
> & {
  quantities?: Quantities;
  leastCost?: null;
};

export const summaryColumns = `id, operation, connection_id AS connectionId,
  connection_name AS connectionName, model, status, created_at AS createdAt,
  started_at AS startedAt, finished_at AS finishedAt, http_status AS httpStatus, error, timings,
  figures, conversation_id AS conversationId, comparison_id AS comparisonId,
  cell, cost, source_run_id AS sourceRunId, preview, phase, media`;

export const storedColumns = `${summaryColumns}, request, extra_body AS extraBody,
  wire_names AS wireNames, follow, base_url AS baseUrl, seq`;

const summaryRowSchema = runSummarySchema.extend({
  error: jsonColumn(appErrorSchema).nullable(),
  timings: jsonColumn(timingsSchema).nullable(),
  figures: jsonColumn(figuresSchema).nullable(),
  // Return the run despite a damaged column, because a billed task is found through its events.
  phase: jsonColumn(phaseSchema).catch(initialPhase),
  media: jsonColumn(z.array(mediaSchema)).catch([]),
});

const { request, extraBody, wireNames, follow } = runInputSchema.shape;

const storedRowSchema = summaryRowSchema.extend({
  request: jsonColumn(request),
  extraBody: jsonColumn(extraBody),
  wireNames: jsonColumn(wireNames),
  follow,
  baseUrl: z.string(),
  seq: z.int().nonnegative(),
});

export function readSummaries(db: Database, rows: unknown[]): RunSummary[] {
  return readRows(db, summaryRowSchema, rows, 'runs');
}

export function readStoredRuns(db: Database, rows: unknown[]): StoredRun[] {
  return readRows(db, storedRowSchema, rows, 'runs');
}

/** Replaces file names in recorded runs with the current names. */
export function withMediaNames<Run extends Pick<RunSummary, 'media'>>(
  db: Database,
  runs: readonly Run[],
): Run[] {
  const ids = runs.flatMap(({ media }) => media.map(({ id }) => id));
  if (ids.length === 0) return [...runs];
  const names = new Map(
    db
      .sql('SELECT id, name FROM media WHERE id IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(ids))
      .map(({ id, name }) => [id, name]),
  );
  return runs.map((run) => ({
    ...run,
    media: run.media.map((item) => {
      const name = names.get(item.id);
      return typeof name === 'string' ? { ...item, name } : item;
    }),
  }));
}

export function insertRun(db: Database, run: NewRun): void {
  const { lastInsertRowid } = db
    .sql(`INSERT INTO runs (id, operation, connection_id, connection_name, base_url, model, status,
      created_at, started_at, finished_at, http_status, error, timings, figures, tokens, conversation_id,
      comparison_id, cell, source_run_id, preview, phase, media, request, extra_body, wire_names, follow, seq,
      least_cost)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      run.id,
      run.operation,
      run.connectionId,
      run.connectionName,
      run.baseUrl,
      run.model,
      run.status,
      run.createdAt,
      run.startedAt,
      run.finishedAt,
      run.httpStatus,
      jsonOrNull(run.error),
      jsonOrNull(run.timings),
      jsonOrNull(run.figures),
      sumTokens(run.figures?.usage ?? null),
      run.conversationId,
      run.comparisonId,
      run.cell,
      run.sourceRunId,
      run.preview,
      JSON.stringify(run.phase),
      JSON.stringify(run.media),
      JSON.stringify(run.request),
      JSON.stringify(run.extraBody),
      JSON.stringify(run.wireNames),
      run.follow,
      run.seq,
      run.leastCost ?? null,
    );
  db.sql('INSERT INTO run_texts (run, text) VALUES (?, ?)').run(lastInsertRowid, firstText(run));
}

const getColumn = {
  status: 'status',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
  httpStatus: 'http_status',
  error: 'error',
  timings: 'timings',
  figures: 'figures',
  phase: 'phase',
  media: 'media',
  cost: 'cost',
  quantities: 'quantities',
  leastCost: 'least_cost',
  seq: 'seq',
} as const satisfies Record<keyof RunFields, string>;

export function updateRun(db: Database, row: number, fields: RunFields): void {
  for (const [field, column] of Object.entries(getColumn)) {
    const value = fields[field as keyof typeof getColumn];
    if (value === undefined) continue;
    const stored = typeof value === 'object' ? jsonOrNull(value) : value;
    db.sql(`UPDATE runs SET ${column} = ? WHERE row = ?`).run(stored, row);
  }
  if (fields.figures !== undefined) {
    const tokens = sumTokens(fields.figures?.usage ?? null);
    db.sql('UPDATE runs SET tokens = ? WHERE row = ?').run(tokens, row);
  }
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
