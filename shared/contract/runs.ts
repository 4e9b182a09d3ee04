/** Defines the procedures to start, watch, list and delete runs. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { listedComparisonSchema } from '../comparison.ts';
import { exchangeSchema } from '../exchange.ts';
import { jsonObjectSchema, jsonValueSchema } from '../json-schema.ts';
import { operationNameSchema } from '../operations/operation-name.ts';
import type { Patch } from '../patch.ts';
import {
  runEventKindSchema,
  runEventSchema,
  runFilterStatusSchema,
  runInputSchema,
  runSummarySchema,
  sentRequestSchema,
} from '../run.ts';
import { newestFirst } from '../run-sort.ts';
import type { RunView } from '../run-view.ts';
import { runSortSchema } from '../saved-run-filter.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

const viewHeadSchema = runSummarySchema.extend({ seq: z.int().nonnegative(), state: z.object({}) });

/** Checks only the outer fields, because the main process builds the state. */
export const runViewSchema = z.custom<RunView>((value) => viewHeadSchema.safeParse(value).success);

const pathSchema = z.array(z.union([z.string(), z.int().nonnegative()]));

const patchSchema: z.ZodType<Patch> = z.array(
  z.discriminatedUnion('op', [
    z.object({ op: z.literal('append'), path: pathSchema, text: z.string() }),
    z.object({ op: z.literal('set'), path: pathSchema, value: jsonValueSchema }),
    z.object({ op: z.literal('remove'), path: pathSchema }),
    z.object({
      op: z.literal('extend'),
      path: pathSchema,
      value: z.union([z.array(jsonValueSchema), jsonObjectSchema]),
    }),
  ]),
);

/** If `from` isn't the watcher's current number, the watcher missed an update and must restart. */
const runUpdateSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    seq: z.int(),
    view: runViewSchema,
    /** Milliseconds since the last event; 0 if the main process isn't working on the run. */
    quietMs: z.number().nonnegative(),
  }),
  z.object({ type: z.literal('update'), from: z.int(), to: z.int(), patch: patchSchema }),
]);
export type RunUpdate = z.infer<typeof runUpdateSchema>;

/** Belongs to the next update: its patch applies after that update. */
const runUpdatePartSchema = z.object({ type: z.literal('part'), patch: patchSchema });

const runUpdateMessageSchema = z.discriminatedUnion('type', [
  ...runUpdateSchema.options,
  runUpdatePartSchema,
]);
export type RunUpdateMessage = z.infer<typeof runUpdateMessageSchema>;

const startInputSchema = runInputSchema.extend({
  connectionId: z.string(),
  operation: operationNameSchema,
  /** Starts the run even if it may exceed a daily cap, instead of failing with `beyond-cap`. */
  overCap: z.boolean().default(false),
  sourceRunId: z.string().nullable().default(null),
});
export type StartInput = z.input<typeof startInputSchema>;

/** A run with its original input, which the page needs to inspect, reopen or repeat the run. */
const recordedRunSchema = runInputSchema.extend({
  view: runViewSchema,
  baseUrl: z.string(),
});
export type RecordedRun = z.infer<typeof recordedRunSchema>;

const runFilterSchema = z.object({
  connectionId: z.string().nullable(),
  operation: operationNameSchema.nullable(),
  status: runFilterStatusSchema.nullable(),
  model: z.string().nullable().default(null),
  /** Matches runs created at `from` or later; Unix milliseconds. */
  from: z.number().nullable().default(null),
  /** Matches runs created before `until`. */
  until: z.number().nullable().default(null),
  /** Lists every attempt of the comparison's cells. */
  comparisonId: z.string().nullable().default(null),
  /** Lists the runs of the conversation's messages. */
  conversationId: z.string().nullable().default(null),
  /** Text to find in the request, response or comparison title; an empty text matches every run. */
  search: z.string().max(200).default(''),
});

const runPageSchema = z.object({
  runs: z.array(runSummarySchema),
  comparisons: z.array(listedComparisonSchema),
  more: z.boolean(),
});
export type ListedRuns = z.infer<typeof runPageSchema>;

const exportInputSchema = z.object({
  format: z.enum(['csv', 'jsonl']),
  /** Null exports all runs that match the filter. */
  selected: z
    .object({
      runIds: z.array(z.string()).max(100_000),
      comparisonIds: z.array(z.string()).max(100_000),
    })
    .nullable(),
  filter: runFilterSchema,
});
export type RunExport = z.infer<typeof exportInputSchema>;

/** Milliseconds of runs that succeeded; `p95` is null with fewer than 20 of them. */
const percentilesSchema = z.object({
  p50: z.number(),
  p95: z.number().nullable(),
  count: z.int().positive(),
});
export type Percentiles = z.infer<typeof percentilesSchema>;

const runMetricsSchema = z.object({
  runs: z.int().nonnegative(),
  /** Ended runs without a usable result, other than those that the user stopped. */
  failures: z.int().nonnegative(),
  /** The sum of the known costs; null if none is known. */
  dollars: z.number().nullable(),
  pricedRuns: z.int().nonnegative(),
  /** Null if no run has the value. */
  totalMs: percentilesSchema.nullable(),
  firstOutputMs: percentilesSchema.nullable(),
  /** Equal periods from the first run to the last, oldest first; `from` is in Unix milliseconds. */
  periods: z.array(
    z.object({ from: z.number(), runs: z.int().nonnegative(), failures: z.int().nonnegative() }),
  ),
});
export type RunMetrics = z.infer<typeof runMetricsSchema>;

const activeCountsSchema = z.partialRecord(
  z.enum([...operationNameSchema.options, 'check']),
  z.int().positive(),
);
export type ActiveCounts = z.infer<typeof activeCountsSchema>;

export const runsContract = {
  /** Returns after the run is recorded; pass `runId` to `watch`. */
  start: procedure.input(startInputSchema).output(z.object({ runId: z.string() })),
  /** Returns the request that `start` would send; of several, the first. */
  preview: procedure
    .input(startInputSchema.omit({ overCap: true, sourceRunId: true, follow: true }))
    .output(sentRequestSchema),
  /** Stops the run; for a video task that the gateway accepted, only stops polling. */
  cancel: procedure.input(byId).output(z.void()),
  resume: procedure.input(byId).output(z.void()),
  /**
   * Starts with a snapshot unless `after` is current, and ends when the run ends. `joinUpdates`
   * joins the parts.
   */
  watch: procedure
    .input(z.object({ id: z.string(), after: z.int().nullable() }))
    .output(eventIterator(runUpdateMessageSchema)),
  /** `before` is the `createdAt` and ID of the last row of the previous page. */
  list: procedure
    .input(
      runFilterSchema.extend({
        before: z.object({ createdAt: z.number(), id: z.string() }).nullable(),
        limit: z.int().min(1).max(200),
        /** Lists a comparison or check as its newest run. */
        folded: z.boolean().default(false),
        sort: runSortSchema.default(newestFirst),
      }),
    )
    .output(runPageSchema),
  metrics: procedure.input(runFilterSchema).output(runMetricsSchema),
  /** Returns the file in chunks, newest run first, with recorded keys removed. */
  export: procedure.input(exportInputSchema).output(eventIterator(z.string())),
  /**
   * Counts active runs by panel: a check's runs count for Check, others for their operation.
   * Excludes tasks that the user stopped following.
   */
  activeCounts: procedure.output(activeCountsSchema),
  get: procedure.input(byId).output(recordedRunSchema),
  /** Returns the source run (null if deleted) and up to 100 runs that use this run's result. */
  chain: procedure
    .input(byId)
    .output(z.object({ source: runSummarySchema.nullable(), next: z.array(runSummarySchema) })),
  /** Returns exchanges starting at number `from`; `next` is null on the last page. */
  exchanges: procedure
    .input(
      z.object({
        id: z.string(),
        from: z.int().nonnegative(),
        /** Limited, because the main process needs a few milliseconds per hundred exchanges. */
        limit: z.int().min(1).max(100),
      }),
    )
    .output(z.object({ exchanges: z.array(exchangeSchema), next: z.int().nullable() })),
  /**
   * Returns events after number `after`, oldest first; null `kinds` or `exchange` doesn't filter.
   */
  events: procedure
    .input(
      z.object({
        id: z.string(),
        after: z.int().nonnegative(),
        limit: z.int().min(1).max(2000),
        kinds: z.array(runEventKindSchema).nullable(),
        exchange: z.int().nonnegative().nullable().default(null),
      }),
    )
    .output(z.object({ events: z.array(runEventSchema), more: z.boolean() })),
  remove: procedure.input(byId).output(deletedSchema),
  models: procedure.output(z.array(z.string())),
};
