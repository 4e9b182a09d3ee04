/** Stores runs as ledger rows and validates them when reading. */
import { z } from 'zod';
import { findingSchema } from '../../shared/checks/finding.ts';
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
import { createJsonColumn, insertFields, readRows, selectFields, updateFields } from './rows.ts';
import { getFirstPiece } from './search/run-text.ts';

export const storedRunSchema = runSummarySchema.extend({
  ...runInputSchema.shape,
  baseUrl: z.string(),
  /** Set for the runs of a check, which other lists leave out. */
  checkId: z.string().nullable(),
  seq: z.int().nonnegative(),
});
export type StoredRun = z.infer<typeof storedRunSchema>;

export type NewRun = StoredRun & { leastCost?: number | null };

export type RunFields = Partial<Omit<StoredRun, 'id' | keyof RunInput>> & {
  quantities?: Quantities;
  leastCost?: null;
};

const summaryRowSchema = runSummarySchema.extend({
  error: createJsonColumn(appErrorSchema).nullable(),
  timings: createJsonColumn(timingsSchema).nullable(),
  figures: createJsonColumn(figuresSchema).nullable(),
  // Return the run despite a damaged column, because a billed task is found through its events.
  phase: createJsonColumn(phaseSchema).catch(initialPhase),
  media: createJsonColumn(z.array(mediaSchema)).catch([]),
  findings: createJsonColumn(z.array(findingSchema)).catch([]),
});

const { request, extraBody, wireNames } = storedRunSchema.shape;
const storedRowSchema = storedRunSchema.extend({
  ...summaryRowSchema.shape,
  request: createJsonColumn(request),
  extraBody: createJsonColumn(extraBody),
  wireNames: createJsonColumn(wireNames),
});

export const summaryColumns = selectFields(summaryRowSchema);
const storedColumns = selectFields(storedRowSchema);

export function readSummaries(db: Database, rows: unknown[]): RunSummary[] {
  return readRows(db, summaryRowSchema, rows, 'runs');
}

/** Also returns hidden runs, but none whose deletion is final. */
export function findStoredRun(db: Database, id: string): StoredRun | null {
  const rows = db
    .sql(`SELECT ${storedColumns} FROM runs WHERE id = ? AND deleted_at IS NOT 0`)
    .all(id);
  return readRows(db, storedRowSchema, rows, 'runs')[0] ?? null;
}

const namedMediaSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  sample_rate: z.number().nullable(),
  channels: z.number().nullable(),
});

/**
 * Reads file names and raw sample formats from the media rows, because the user may change them.
 */
export function withCurrentMedia<Run extends Pick<RunSummary, 'media'>>(
  db: Database,
  runs: readonly Run[],
): Run[] {
  const ids = runs.flatMap(({ media }) => media.map(({ id }) => id));
  if (ids.length === 0) return [...runs];
  const sql = `SELECT id, name, sample_rate, channels FROM media
    WHERE id IN (SELECT value FROM json_each(?))`;
  const rows = readRows(db, namedMediaSchema, db.sql(sql).all(JSON.stringify(ids)), 'media');
  const current = new Map(rows.map((row) => [row.id, row]));
  return runs.map((run) => ({
    ...run,
    media: run.media.map((item) => {
      const row = current.get(item.id);
      if (row === undefined) return item;
      return {
        ...item,
        name: row.name ?? item.name,
        sampleRate: row.sample_rate ?? item.sampleRate,
        channels: row.channels ?? item.channels,
      };
    }),
  }));
}

export function insertRun(db: Database, run: NewRun): void {
  const { leastCost = null, figures } = run;
  const fields = storedRowSchema.keyof().options.map((field) => [field, run[field]]);
  const tokens = sumTokens(figures?.usage ?? null);
  const { lastInsertRowid } = insertFields(db, 'runs', {
    ...Object.fromEntries(fields),
    tokens,
    leastCost,
    // Searches don't find the runs of a check.
    indexed: run.checkId !== null,
  });
  if (run.checkId !== null) return;
  db.sql('INSERT INTO run_texts (run, text) VALUES (?, ?)').run(
    lastInsertRowid,
    getFirstPiece(run),
  );
}

export function updateRun(db: Database, row: number, fields: RunFields): void {
  const { figures } = fields;
  const tokens = figures === undefined ? undefined : sumTokens(figures?.usage ?? null);
  updateFields(db, 'runs', { ...fields, tokens }, 'row = ?', row);
}
