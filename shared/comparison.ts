/** A comparison: one form's input, sent once for each variant and repeat. Main owns it; its cells are ordinary runs. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { isSameJson } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { runSummarySchema } from './run.ts';
import { runInputSchema } from './run-input.ts';

/** More would take a ledger, and a reader, too long. */
export const MAX_CELLS = 1000;
/** Of one comparison. */
export const MAX_REPEATS = 100;

const idSchema = z.string().min(1).max(100);

/** What one column sends. `name` is the user's own; without one its differences name it. */
export const comparedVariantSchema = runInputSchema.omit({ follow: true }).extend({
  id: idSchema,
  name: z.string().trim().max(80),
  connectionId: z.string(),
  /** In which it differs from the form, as its chips say it: `temperature 0.2`. */
  differences: z.array(z.string().max(500)).max(100),
});
export type ComparedVariant = z.infer<typeof comparedVariantSchema>;

/** What every variant is asked: fields of the request, under those of the variant. */
const comparedRowSchema = z.object({
  id: idSchema,
  label: z.string().max(500),
  request: jsonObjectSchema,
  /** The run with whose result its requests begin; null if they begin by themselves. */
  sourceRunId: z.string().nullable().default(null),
  /** As this row was sent, those that were changed since: they stand before the plan's (`variantOfCell`). */
  variants: z.array(comparedVariantSchema).max(MAX_CELLS).default([]),
});

export const comparisonPlanSchema = z.object({
  operation: operationNameSchema,
  title: z.string().trim().min(1).max(200),
  variants: z.array(comparedVariantSchema).min(1).max(MAX_CELLS),
  rows: z.array(comparedRowSchema).min(1).max(MAX_CELLS),
  repeats: z.int().min(1).max(MAX_REPEATS),
  /** The comparison with whose cells this one continues: each of its rows has a `sourceRunId`. */
  sourceComparisonId: z.string().nullable().default(null),
});
export type ComparisonPlan = z.infer<typeof comparisonPlanSchema>;

export const comparisonSchema = comparisonPlanSchema.extend({
  id: z.string(),
  /** The conversation that its answers are part of: a chat's; null for any other. */
  conversationId: z.string().nullable(),
  /** Unix milliseconds. */
  createdAt: z.number(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/**
 * `waiting`: sent when its connection has room. `held`: main ended before it was sent, or it may
 * pass a daily cap, which is its problem then; continues when the user says so.
 * `sent`: its newest run says the rest. `dropped`: stopped before it was sent, or it could not be started.
 */
export const cellStateSchema = z.enum(['waiting', 'held', 'sent', 'dropped']);
export type CellState = z.infer<typeof cellStateSchema>;

export const cellSchema = z.object({
  /** From 0, as they are sent: repeat by repeat, row by row, variant by variant; older ones, by repeat last. */
  place: z.int().nonnegative(),
  rowId: z.string(),
  variantId: z.string(),
  /** From 0. */
  repeat: z.int().nonnegative(),
  /** The message of the conversation that it answers; null if it is not a chat's. */
  messageId: z.string().nullable(),
  state: cellStateSchema,
  /** How often it was sent. */
  attempts: z.int().nonnegative(),
  /** The newest attempt; null before the first, and where it was deleted. */
  run: runSummarySchema.nullable(),
  /** Why it could not be started; null if it could. */
  problem: appErrorSchema.nullable(),
});
export type Cell = z.infer<typeof cellSchema>;

/** As the list of runs shows it, in place of its runs. */
export const listedComparisonSchema = comparisonSchema
  .pick({ id: true, createdAt: true, conversationId: true })
  .extend({
    title: z.string(),
    /** Its cells. */
    requests: z.int().nonnegative(),
    /** Cells that are still to be sent, some of them once more. */
    unsent: z.int().nonnegative(),
    /** Counts of each cell's newest attempt. `failed` includes runs without a usable result. */
    running: z.int().nonnegative(),
    succeeded: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    stopped: z.int().nonnegative(),
  });
export type ListedComparison = z.infer<typeof listedComparisonSchema>;

/** A connection's requests of all comparisons. */
export const sendingSchema = z.object({
  connectionId: z.string(),
  waiting: z.int().nonnegative(),
  running: z.int().nonnegative(),
  /** Unix milliseconds until which the gateway asked to wait; null if it did not. */
  pausedUntil: z.number().nullable(),
});
export type Sending = z.infer<typeof sendingSchema>;

/** Undefined if the plan has no such variant. */
export function variantOfCell(
  { rows, variants }: Pick<ComparisonPlan, 'rows' | 'variants'>,
  { rowId, variantId }: Pick<Cell, 'rowId' | 'variantId'>,
): ComparedVariant | undefined {
  const isAsked = ({ id }: ComparedVariant) => id === variantId;
  return rows.find(({ id }) => id === rowId)?.variants.find(isAsked) ?? variants.find(isAsked);
}

/** Whether both send the same, whatever they are called. */
export function isSameRequest(one: ComparedVariant, other: ComparedVariant): boolean {
  return one === other || isSameJson(getSent(one), getSent(other));
}

function getSent({ connectionId, request, extraBody, wireNames }: ComparedVariant) {
  return { connectionId, request, extraBody, wireNames };
}
