/** Defines a run: its input, events, status and summary. */
import { z } from 'zod';
import { findingSchema } from './checks/finding.ts';
import { appErrorSchema } from './error-schema.ts';
import { jsonObjectSchema, jsonValueSchema } from './json-schema.ts';
import { mediaSchema } from './media.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { usageSchema } from './operations/response/usage.ts';

export const runStatusSchema = z.enum([
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
  'unknown',
]);
export type RunStatus = z.infer<typeof runStatusSchema>;

export function isFinished(status: RunStatus): boolean {
  return status !== 'queued' && status !== 'running';
}

/** The status in lists; `no-result` means success without a usable result. */
export const runOutcomeSchema = z.enum([...runStatusSchema.options, 'no-result']);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

/** A filter of lists; `mismatch` finds runs that got something other than they asked for. */
export const runFilterStatusSchema = z.enum([...runOutcomeSchema.options, 'mismatch']);
export type RunFilterStatus = z.infer<typeof runFilterStatusSchema>;

/** Header names as sent, with secrets masked. */
export const headerListSchema = z.array(z.tuple([z.string(), z.string()]));
export type HeaderList = z.infer<typeof headerListSchema>;

/**
 * `Ms` fields are durations, `AtMs` fields count from the run's start; null if a phase was skipped.
 */
export const timingsSchema = z.object({
  startedAtMs: z.number(),
  dnsMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  tlsMs: z.number().nullable(),
  reusedSocket: z.boolean(),
  sentAtMs: z.number().nullable(),
  headAtMs: z.number().nullable(),
  firstDeltaAtMs: z.number().nullable(),
  endAtMs: z.number(),
  deltaCount: z.int(),
  /** Gaps between deltas; null if there are fewer than two deltas. */
  gaps: z.object({ medianMs: z.number(), p95Ms: z.number(), maxMs: z.number() }).nullable(),
  sentBytes: z.int(),
  receivedBytes: z.int(),
});
export type Timings = z.infer<typeof timingsSchema>;

export const noTimings: Timings = {
  startedAtMs: 0,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  reusedSocket: false,
  sentAtMs: null,
  headAtMs: null,
  firstDeltaAtMs: null,
  endAtMs: 0,
  deltaCount: 0,
  gaps: null,
  sentBytes: 0,
  receivedBytes: 0,
};

/** Statuses of a video task; `unknown` for any other value. */
export const taskStatusSchema = z.enum(['queued', 'in_progress', 'completed', 'failed', 'unknown']);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** Who is working on the run; for an ended run, its last phase. */
export const phaseSchema = z.object({
  name: z.enum(['working', 'following', 'unfollowed', 'downloading']),
  task: z
    .object({
      id: z.string(),
      status: taskStatusSchema.nullable(),
      word: z.string().nullable(),
      progress: z.string().nullable(),
    })
    .nullable(),
});
export type Phase = z.infer<typeof phaseSchema>;

/** An operation with a single request stays in its initial phase. */
export const initialPhase: Phase = { name: 'working', task: null };

interface PhaseTraits {
  /** The app process is working on the run. */
  isActive: boolean;
  /** The gateway continues the task without polling. */
  runsAtGateway: boolean;
  /** The run can resume after a restart. */
  outlivesMain: boolean;
}

export const phaseTraits = {
  working: { isActive: true, runsAtGateway: false, outlivesMain: false },
  following: { isActive: true, runsAtGateway: true, outlivesMain: true },
  unfollowed: { isActive: false, runsAtGateway: true, outlivesMain: true },
  downloading: { isActive: true, runsAtGateway: false, outlivesMain: true },
} as const satisfies Record<Phase['name'], PhaseTraits>;

const numbered = {
  seq: z.int().positive(),
  atMs: z.number().nonnegative(),
  exchange: z.int().nonnegative(),
};

/** An HTTP request as it is shown: the key is masked, and files are placeholders in the body. */
export const sentRequestSchema = z.object({
  method: z.string(),
  url: z.string(),
  headers: headerListSchema,
  body: z.string().nullable(),
});
export type SentRequest = z.infer<typeof sentRequestSchema>;

export const runEventSchema = z.discriminatedUnion('kind', [
  z.object({
    ...numbered,
    kind: z.literal('request'),
    ...sentRequestSchema.shape,
    link: z.string().optional(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('response'),
    status: z.int(),
    headers: headerListSchema,
    /** The path of a followed redirect; undefined for any other response. */
    followedTo: z.string().optional(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('chunk'),
    /** A raw server-sent event: `data` lines joined by line feeds, or a comment line. */
    data: z.string(),
    event: z.string().nullable(),
    comment: z.boolean(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('body'),
    text: z.string(),
    /** The body was cut off in transit or exceeds the storage limit. */
    truncated: z.boolean(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('task'),
    /** Empty if the gateway returned the video directly. */
    taskId: z.string(),
    status: taskStatusSchema,
    word: z.string(),
    /** The status response with secrets redacted. */
    reply: jsonValueSchema,
  }),
  z.object({
    ...numbered,
    kind: z.literal('following'),
    on: z.boolean(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('media'),
    /** A file that the run produced; sent again when the file is complete. */
    media: mediaSchema,
    /** The link to the file as received; undefined if the file wasn't downloaded. */
    url: z.string().optional(),
    /** The data URL in the answer's text that the file replaces. */
    inText: z
      .object({ choice: z.int(), part: z.int().nullable(), at: z.int(), length: z.int() })
      .optional(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('progress'),
    direction: z.enum(['upload', 'download']),
    doneBytes: z.number().nonnegative(),
    totalBytes: z.number().nonnegative().nullable(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('redacted'),
    /** The number of chunks in which pieces of a secret were masked after they had arrived. */
    count: z.int().positive(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('exchange-end'),
    /** How the exchange ended, which may differ from how its run ended. */
    status: z.enum(['succeeded', 'failed', 'cancelled', 'unknown', 'interrupted']),
    /** Null if the exchange succeeded, or if the main process exited first. */
    error: appErrorSchema.nullable(),
    timings: timingsSchema.nullable(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('finish'),
    timings: timingsSchema,
  }),
  z.object({
    ...numbered,
    kind: z.literal('error'),
    status: z.enum(['failed', 'cancelled', 'interrupted', 'unknown']),
    error: appErrorSchema,
    /** Null if the main process exited before it could measure. */
    timings: timingsSchema.nullable(),
  }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
export type RunEventKind = RunEvent['kind'];
export const runEventKindSchema = z.enum([
  'request',
  'response',
  'chunk',
  'body',
  'task',
  'following',
  'media',
  'progress',
  'redacted',
  'exchange-end',
  'finish',
  'error',
] satisfies RunEventKind[]);
export type RunEventOf<Kind extends RunEventKind> = Extract<RunEvent, { kind: Kind }>;
/** An event before the database assigns its number and time. */
export type RunEventBody = RunEvent extends infer Event
  ? Event extends RunEvent
    ? Omit<Event, 'seq' | 'atMs'>
    : never
  : never;

export const figuresSchema = z.object({
  model: z.string().nullable(),
  usage: usageSchema.nullable(),
  finishReasons: z.array(z.string()),
  /** Explains why a successful run has no usable result; null if it has one. */
  noResult: z.string().nullable(),
  /** The cost that the gateway reports, in US dollars; undefined if it reports none. */
  chargedDollars: z.number().nonnegative().optional(),
  /** The gateway's measurement of the output; undefined if it reports none. */
  tokensPerSecond: z.number().positive().optional(),
  /** Warnings about a chat answer, which its message doesn't store. */
  warnings: z.array(z.string()).optional(),
});
export type Figures = z.infer<typeof figuresSchema>;

/** Times are Unix milliseconds. */
export const runSummarySchema = z.object({
  id: z.string(),
  operation: operationNameSchema,
  connectionId: z.string(),
  connectionName: z.string(),
  model: z.string(),
  status: runStatusSchema,
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  httpStatus: z.int().nullable(),
  error: appErrorSchema.nullable(),
  timings: timingsSchema.nullable(),
  figures: figuresSchema.nullable(),
  conversationId: z.string().nullable(),
  /** The run's comparison and its cell's position; null if the run isn't part of a comparison. */
  comparisonId: z.string().nullable(),
  cell: z.int().nullable(),
  /** US dollars, estimated or reported; null until the run ends, or if no price applies. */
  cost: z.number().nullable(),
  /** Compares the request with the response; empty unless the run succeeded. */
  findings: z.array(findingSchema),
  sourceRunId: z.string().nullable(),
  preview: z.string(),
  phase: phaseSchema,
  media: z.array(mediaSchema),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Returns false if the run is active or succeeded without a usable result. */
export function hasResult({ status, figures }: Pick<RunSummary, 'status' | 'figures'>): boolean {
  return status === 'succeeded' && (figures?.noResult ?? null) === null;
}

/** Returns true if the gateway may still have the result, because the task didn't fail. */
export function canFollowAgain({ status, phase }: Pick<RunSummary, 'status' | 'phase'>): boolean {
  if (!isFinished(status) || status === 'succeeded' || phase.task === null) return false;
  return !(status === 'failed' && phase.task.status === 'failed');
}

/** Missing fields default to an empty value. */
export const runInputSchema = z.object({
  request: jsonObjectSchema,
  /** Merged into the body last, without renaming or validation. */
  extraBody: jsonObjectSchema.default({}),
  /** API names by field, only for fields that can be renamed. */
  wireNames: z.record(z.string(), z.string()).default({}),
  follow: z.string().nullable().default(null),
});
export type RunInput = z.infer<typeof runInputSchema>;
export type PartialRunInput = z.input<typeof runInputSchema>;
