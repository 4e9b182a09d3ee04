/** Defines a comparison, which sends each input to every variant; every cell is a normal run. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { isSameJson } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { runInputSchema, runSummarySchema } from './run.ts';

export const MAX_CELLS = 1000;
export const MAX_REPEATS = 100;

const idSchema = z.string().min(1).max(100);

/** Defines one column; an empty `name` falls back to the differences. */
export const comparedVariantSchema = runInputSchema.omit({ follow: true }).extend({
  id: idSchema,
  name: z.string().trim().max(80),
  connectionId: z.string(),
  /** Differences from the displayed form, such as `temperature 0.2`. */
  differences: z.array(z.string().max(500)).max(100),
});
export type ComparedVariant = z.infer<typeof comparedVariantSchema>;

/** Input for every variant; fields of a variant override the row's fields. */
const comparedRowSchema = z.object({
  id: idSchema,
  label: z.string().max(500),
  request: jsonObjectSchema,
  /** The run whose result starts the input; null if there is none. */
  sourceRunId: z.string().nullable().default(null),
  /** Earlier settings of variants that changed after the row was sent. */
  variants: z.array(comparedVariantSchema).max(MAX_CELLS).default([]),
});

export const comparisonPlanSchema = z.object({
  operation: operationNameSchema,
  title: z.string().trim().min(1).max(200),
  variants: z.array(comparedVariantSchema).min(1).max(MAX_CELLS),
  rows: z.array(comparedRowSchema).min(1).max(MAX_CELLS),
  repeats: z.int().min(1).max(MAX_REPEATS),
  /** The comparison that the plan continues; each row then has a `sourceRunId`. */
  sourceComparisonId: z.string().nullable().default(null),
});
export type ComparisonPlan = z.infer<typeof comparisonPlanSchema>;

export const comparisonSchema = comparisonPlanSchema.extend({
  id: z.string(),
  /** Null unless the comparison is a chat. */
  conversationId: z.string().nullable(),
  /** Unix time in milliseconds. */
  createdAt: z.number(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** `held`: paused until the user confirms; `dropped`: stopped before sending or failed to start. */
export const cellStateSchema = z.enum(['waiting', 'held', 'sent', 'dropped']);
export type CellState = z.infer<typeof cellStateSchema>;

export const cellSchema = z.object({
  /** Sending order: repeat by repeat, row by row, variant by variant. */
  place: z.int().nonnegative(),
  rowId: z.string(),
  variantId: z.string(),
  repeat: z.int().nonnegative(),
  /** The user message that the cell answers; null unless the comparison is a chat. */
  messageId: z.string().nullable(),
  state: cellStateSchema,
  attempts: z.int().nonnegative(),
  /** The newest attempt; null before the first attempt, or if the run was deleted. */
  run: runSummarySchema.nullable(),
  /** Explains why the cell couldn't start; null if there was no error. */
  problem: appErrorSchema.nullable(),
});
export type Cell = z.infer<typeof cellSchema>;

/** Replaces the comparison's runs in History. */
export const listedComparisonSchema = comparisonSchema
  .pick({ id: true, createdAt: true, conversationId: true })
  .extend({
    title: z.string(),
    requests: z.int().nonnegative(),
    /** Number of waiting or paused cells. */
    unsent: z.int().nonnegative(),
    /** Counts of the newest attempts; `failed` includes runs without a usable result. */
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
  /** Unix time in milliseconds; null unless the gateway asked to wait. */
  pausedUntil: z.number().nullable(),
});
export type Sending = z.infer<typeof sendingSchema>;

/** Prefers the row's earlier settings over the plan's settings. */
export function variantOfCell(
  { rows, variants }: Pick<ComparisonPlan, 'rows' | 'variants'>,
  { rowId, variantId }: Pick<Cell, 'rowId' | 'variantId'>,
): ComparedVariant | undefined {
  const isAsked = ({ id }: ComparedVariant) => id === variantId;
  return rows.find(({ id }) => id === rowId)?.variants.find(isAsked) ?? variants.find(isAsked);
}

/** Ignores the name and the differences. */
export function isSameRequest(one: ComparedVariant, other: ComparedVariant): boolean {
  return one === other || isSameJson(getSent(one), getSent(other));
}

function getSent({ connectionId, request, extraBody, wireNames }: ComparedVariant) {
  return { connectionId, request, extraBody, wireNames };
}
