/** A comparison sends one input to each variant and repeat. Its cells are ordinary runs. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { isSameJson } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { runInputSchema, runSummarySchema } from './run.ts';

export const MAX_CELLS = 1000;
export const MAX_REPEATS = 100;

const idSchema = z.string().min(1).max(100);

/** One column. Its differences name it if `name` is empty. */
export const comparedVariantSchema = runInputSchema.omit({ follow: true }).extend({
  id: idSchema,
  name: z.string().trim().max(80),
  connectionId: z.string(),
  /** Differences from the form as shown: `temperature 0.2`. */
  differences: z.array(z.string().max(500)).max(100),
});
export type ComparedVariant = z.infer<typeof comparedVariantSchema>;

/** The input that every variant is sent. The variant's fields win. */
const comparedRowSchema = z.object({
  id: idSchema,
  label: z.string().max(500),
  request: jsonObjectSchema,
  /** The run whose result this input begins with. Null if there is none. */
  sourceRunId: z.string().nullable().default(null),
  /** Variants that were changed after this row was sent, as they were then. */
  variants: z.array(comparedVariantSchema).max(MAX_CELLS).default([]),
});

export const comparisonPlanSchema = z.object({
  operation: operationNameSchema,
  title: z.string().trim().min(1).max(200),
  variants: z.array(comparedVariantSchema).min(1).max(MAX_CELLS),
  rows: z.array(comparedRowSchema).min(1).max(MAX_CELLS),
  repeats: z.int().min(1).max(MAX_REPEATS),
  /** The comparison that this one continues. Each of its rows has a `sourceRunId`. */
  sourceComparisonId: z.string().nullable().default(null),
});
export type ComparisonPlan = z.infer<typeof comparisonPlanSchema>;

export const comparisonSchema = comparisonPlanSchema.extend({
  id: z.string(),
  /** Null unless it is a chat. */
  conversationId: z.string().nullable(),
  /** Unix milliseconds. */
  createdAt: z.number(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/**
 * `waiting`: sent when its connection has room. `held`: sent when the user confirms, because the
 * app closed or a daily cap applies. `sent`: see its newest run. `dropped`: stopped before
 * sending, or couldn't be started.
 */
export const cellStateSchema = z.enum(['waiting', 'held', 'sent', 'dropped']);
export type CellState = z.infer<typeof cellStateSchema>;

export const cellSchema = z.object({
  /** The position in the order of sending: repeat by repeat, row by row, variant by variant. */
  place: z.int().nonnegative(),
  rowId: z.string(),
  variantId: z.string(),
  repeat: z.int().nonnegative(),
  /** The user message that it answers. Null unless it is a chat. */
  messageId: z.string().nullable(),
  state: cellStateSchema,
  attempts: z.int().nonnegative(),
  /** The newest attempt. Null before the first, or if it was deleted. */
  run: runSummarySchema.nullable(),
  /** Why it couldn't be started. Null if it could. */
  problem: appErrorSchema.nullable(),
});
export type Cell = z.infer<typeof cellSchema>;

/** Stands for its runs in History. */
export const listedComparisonSchema = comparisonSchema
  .pick({ id: true, createdAt: true, conversationId: true })
  .extend({
    title: z.string(),
    /** The number of cells. */
    requests: z.int().nonnegative(),
    /** Cells that wait or are held. */
    unsent: z.int().nonnegative(),
    /** Counts of each cell's newest attempt. `failed` includes runs without a usable result. */
    running: z.int().nonnegative(),
    succeeded: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    stopped: z.int().nonnegative(),
  });
export type ListedComparison = z.infer<typeof listedComparisonSchema>;

/** Counts a connection's requests of all comparisons. */
export const sendingSchema = z.object({
  connectionId: z.string(),
  waiting: z.int().nonnegative(),
  running: z.int().nonnegative(),
  /** Unix milliseconds. Null unless the gateway asked to wait. */
  pausedUntil: z.number().nullable(),
});
export type Sending = z.infer<typeof sendingSchema>;

/** Returns the settings that a cell is sent with: its row's own, or else the plan's. */
export function variantOfCell(
  { rows, variants }: Pick<ComparisonPlan, 'rows' | 'variants'>,
  { rowId, variantId }: Pick<Cell, 'rowId' | 'variantId'>,
): ComparedVariant | undefined {
  const isAsked = ({ id }: ComparedVariant) => id === variantId;
  return rows.find(({ id }) => id === rowId)?.variants.find(isAsked) ?? variants.find(isAsked);
}

/** Compares everything but the name and the differences. */
export function isSameRequest(one: ComparedVariant, other: ComparedVariant): boolean {
  return one === other || isSameJson(getSent(one), getSent(other));
}

function getSent({ connectionId, request, extraBody, wireNames }: ComparedVariant) {
  return { connectionId, request, extraBody, wireNames };
}
