/** Defines a comparison, which sends each input to every variant; every cell is a normal run. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { isSameJson } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { runInputSchema, runSummarySchema } from './run.ts';

export const MAX_CELLS = 1000;
export const MAX_REPEATS = 100;
export const MAX_AT_ONCE = 200;
export const MAX_STAGED_REQUESTS = 20_000;

const idSchema = z.string().min(1).max(100);

/** One column; if `name` is empty, the column is titled by how it differs from the form. */
export const comparedVariantSchema = runInputSchema.omit({ follow: true }).extend({
  id: idSchema,
  name: z.string().trim().max(80),
  connectionId: z.string(),
  /** Differences from the form, such as `temperature 0.2`. */
  differences: z.array(z.string().max(500)).max(100),
});
export type ComparedVariant = z.infer<typeof comparedVariantSchema>;

/** The input for every variant; a variant's own fields override these. */
const comparedRowSchema = z.object({
  id: idSchema,
  label: z.string().max(500),
  request: jsonObjectSchema,
  sourceRunId: z.string().nullable().default(null),
  variants: z.array(comparedVariantSchema).max(MAX_CELLS).default([]),
});

/** Sends `requests` requests, keeping `atOnce` of them running. */
export const stageSchema = z.object({
  atOnce: z.int().min(1).max(MAX_AT_ONCE),
  requests: z.int().min(1).max(MAX_STAGED_REQUESTS),
});
export type PlannedStage = z.infer<typeof stageSchema>;

export function countStaged(stages: readonly PlannedStage[]): number {
  return stages.reduce((sum, { requests }) => sum + requests, 0);
}

export const comparisonPlanSchema = z.object({
  operation: operationNameSchema,
  title: z.string().trim().min(1).max(200),
  variants: z.array(comparedVariantSchema).min(1).max(MAX_CELLS),
  rows: z.array(comparedRowSchema).min(1).max(MAX_CELLS),
  repeats: z.int().min(1).max(MAX_REPEATS),
  /** The comparison that this one continues; if set, every row has a `sourceRunId`. */
  sourceComparisonId: z.string().nullable().default(null),
  /**
   * Run in order, without pauses and while other comparisons of the connection wait. A plan with
   * stages has one variant and sends its rows in turn, once for each request of its stages.
   */
  stages: z.array(stageSchema).min(1).optional(),
  /** The check that this comparison is part of; it is listed only there. */
  checkId: z.string().optional(),
});
export type ComparisonPlan = z.infer<typeof comparisonPlanSchema>;

export const comparisonSchema = comparisonPlanSchema.extend({
  id: z.string(),
  conversationId: z.string().nullable(),
  createdAt: z.number(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** `held`: paused until the user confirms; `dropped`: stopped before sending or failed to start. */
export const cellStateSchema = z.enum(['waiting', 'held', 'sent', 'dropped']);
export type CellState = z.infer<typeof cellStateSchema>;

export const cellSchema = z.object({
  /** The position in sending order: by repeat, then row, then variant. */
  place: z.int().nonnegative(),
  rowId: z.string(),
  variantId: z.string(),
  repeat: z.int().nonnegative(),
  messageId: z.string().nullable(),
  state: cellStateSchema,
  attempts: z.int().nonnegative(),
  /** The newest attempt; null before the first attempt, or if its run was deleted. */
  run: runSummarySchema.nullable(),
  problem: appErrorSchema.nullable(),
});
export type Cell = z.infer<typeof cellSchema>;

export const listedComparisonSchema = comparisonSchema
  .pick({ id: true, createdAt: true, conversationId: true })
  .extend({
    title: z.string(),
    requests: z.int().nonnegative(),
    unsent: z.int().nonnegative(),
    /**
     * Counts only the newest attempt of each cell; `failed` includes runs without a usable result.
     */
    running: z.int().nonnegative(),
    succeeded: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    stopped: z.int().nonnegative(),
  });
export type ListedComparison = z.infer<typeof listedComparisonSchema>;

/** Counts a connection's requests across all comparisons. */
export const sendingSchema = z.object({
  connectionId: z.string(),
  waiting: z.int().nonnegative(),
  running: z.int().nonnegative(),
  pausedUntil: z.number().nullable(),
});
export type Sending = z.infer<typeof sendingSchema>;

/** Returns the settings that the row was sent with, or else the plan's settings. */
export function getCellVariant(
  { rows, variants }: Pick<ComparisonPlan, 'rows' | 'variants'>,
  { rowId, variantId }: Pick<Cell, 'rowId' | 'variantId'>,
): ComparedVariant | undefined {
  const isAsked = ({ id }: ComparedVariant) => id === variantId;
  return rows.find(({ id }) => id === rowId)?.variants.find(isAsked) ?? variants.find(isAsked);
}

export function isSameRequest(one: ComparedVariant, other: ComparedVariant): boolean {
  return one === other || isSameJson(getSent(one), getSent(other));
}

function getSent({ connectionId, request, extraBody, wireNames }: ComparedVariant) {
  return { connectionId, request, extraBody, wireNames };
}
