/** Starting, watching, listing and removing runs. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { listedComparisonSchema } from '../comparison.ts';
import { exchangeSchema } from '../exchange.ts';
import { jsonValueSchema } from '../json-schema.ts';
import { operationNameSchema } from '../operations/operation-name.ts';
import type { Patch } from '../patch.ts';
import {
  runEventKindSchema,
  runEventSchema,
  runInputSchema,
  runOutcomeSchema,
  runSummarySchema,
} from '../run.ts';
import type { RunView } from '../run-view.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

const viewHeadSchema = runSummarySchema.extend({ seq: z.int().nonnegative(), state: z.object({}) });

/** The state is main's own, made by the fold of the operation that the view names. */
export const runViewSchema = z.custom<RunView>((value) => viewHeadSchema.safeParse(value).success);

const pathSchema = z.array(z.union([z.string(), z.int().nonnegative()]));

const patchSchema: z.ZodType<Patch> = z.array(
  z.discriminatedUnion('op', [
    z.object({ op: z.literal('append'), path: pathSchema, text: z.string() }),
    z.object({ op: z.literal('set'), path: pathSchema, value: jsonValueSchema }),
    z.object({ op: z.literal('remove'), path: pathSchema }),
  ]),
);

/**
 * `snapshot`: the whole view at `seq`. `update`: the patch from `from` to `to`; a watcher whose
 * own number is not `from` has missed something and watches again.
 */
const runUpdateSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    seq: z.int(),
    view: runViewSchema,
    /** Milliseconds since the run's last event; 0 for one that main does not work on. */
    quietMs: z.number().nonnegative(),
  }),
  z.object({ type: z.literal('update'), from: z.int(), to: z.int(), patch: patchSchema }),
]);
export type RunUpdate = z.infer<typeof runUpdateSchema>;

const startInputSchema = runInputSchema.extend({
  connectionId: z.string(),
  operation: operationNameSchema,
  /** Also where it may pass today's cap of its connection; otherwise that is a `beyond-cap` error. */
  beyondCap: z.boolean().default(false),
  /** The run with whose result this one begins. */
  sourceRunId: z.string().nullable().default(null),
});
export type StartInput = z.input<typeof startInputSchema>;

/** The run with its input as it was stated, for the inspector and to open or run it again. */
const recordedRunSchema = runInputSchema.extend({
  view: runViewSchema,
  /** The connection's base URL when the run started. */
  baseUrl: z.string(),
});
export type RecordedRun = z.infer<typeof recordedRunSchema>;

const runFilterSchema = z.object({
  connectionId: z.string().nullable(),
  operation: operationNameSchema.nullable(),
  status: runOutcomeSchema.nullable(),
  /** Exactly this one. */
  model: z.string().nullable().default(null),
  /** Every attempt of its cells. */
  comparisonId: z.string().nullable().default(null),
  /** In the request, the reply or the title of the comparison; empty for all. */
  search: z.string().max(200).default(''),
});

const runPageSchema = z.object({
  runs: z.array(runSummarySchema),
  /** Those for which one of the runs stands; none if the list is not folded. */
  comparisons: z.array(listedComparisonSchema),
  more: z.boolean(),
});
export type ListedRuns = z.infer<typeof runPageSchema>;

const runsCostSchema = z.object({
  /** US dollars; null if none of them has an estimate. */
  dollars: z.number().nullable(),
  /** How many of them have one. */
  runs: z.int().nonnegative(),
});
export type RunsCost = z.infer<typeof runsCostSchema>;

export const runsContract = {
  /** Recorded when this answers; watch it with the id. */
  start: procedure.input(startInputSchema).output(z.object({ runId: z.string() })),
  /** Stops the run; a video task that the gateway has accepted is only no longer followed. */
  cancel: procedure.input(byId).output(z.void()),
  /** Follows a video task again after `cancel`. */
  resume: procedure.input(byId).output(z.void()),
  /** Begins with a snapshot, or with an update if `after` is a number main is still at. Ends with the run. */
  watch: procedure
    .input(z.object({ id: z.string(), after: z.int().nullable() }))
    .output(eventIterator(runUpdateSchema)),
  /** Newest first; `before` is the `createdAt` and id of the last row already seen. */
  list: procedure
    .input(
      runFilterSchema.extend({
        before: z.object({ createdAt: z.number(), id: z.string() }).nullable(),
        limit: z.int().min(1).max(200),
        /** Lists only the newest of a comparison's matching runs. */
        folded: z.boolean().default(false),
      }),
    )
    .output(runPageSchema),
  /** Returns the estimated total cost of the runs that `list` returns for the same filter. */
  cost: procedure.input(runFilterSchema).output(runsCostSchema),
  /** How many runs of each operation main works on now; not tasks that the user stopped following. */
  activeCounts: procedure.output(z.partialRecord(operationNameSchema, z.int().positive())),
  get: procedure.input(byId).output(recordedRunSchema),
  /** The run with whose result this one begins, null if that was deleted; and those that begin with its own, oldest first, at most a hundred. */
  chain: procedure
    .input(byId)
    .output(z.object({ source: runSummarySchema.nullable(), next: z.array(runSummarySchema) })),
  /**
   * The run's exchanges so far, from number `from` on. `next` is the number of the one
   * behind them; null if there is none yet.
   */
  exchanges: procedure
    .input(
      z.object({
        id: z.string(),
        from: z.int().nonnegative(),
        /** A hundred take main a few milliseconds. */
        limit: z.int().min(1).max(100),
      }),
    )
    .output(z.object({ exchanges: z.array(exchangeSchema), next: z.int().nullable() })),
  /** Recorded events after number `after`, oldest first; `kinds` and `exchange` null mean all. */
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
  /** Every model that a run requested, by name. */
  models: procedure.output(z.array(z.string())),
};
