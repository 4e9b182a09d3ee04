/** A run: its input, its events, its status, and its summary in lists. */
import { z } from 'zod';
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

/** As lists name it: a run that succeeded and brought nothing usable is `no-result`, not `succeeded`. */
export const runOutcomeSchema = z.enum([...runStatusSchema.options, 'no-result']);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

/** `[name, value]`, names as they were sent, secrets already masked. */
export const headerListSchema = z.array(z.tuple([z.string(), z.string()]));
export type HeaderList = z.infer<typeof headerListSchema>;

/**
 * When the phases of an exchange happened. `*Ms` alone is a duration, `*AtMs` is counted from the
 * run's start; null if the phase did not happen (a reused socket has no DNS, connect or TLS).
 */
export const timingsSchema = z.object({
  startedAtMs: z.number(),
  dnsMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  tlsMs: z.number().nullable(),
  reusedSocket: z.boolean(),
  /** The request's last byte was handed to the socket. */
  sentAtMs: z.number().nullable(),
  /** The response head arrived: the first byte. */
  headAtMs: z.number().nullable(),
  /** The first piece of generated output arrived. */
  firstDeltaAtMs: z.number().nullable(),
  endAtMs: z.number(),
  deltaCount: z.int(),
  /** Gaps between deltas; null with fewer than two deltas. */
  gaps: z.object({ medianMs: z.number(), p95Ms: z.number(), maxMs: z.number() }).nullable(),
  sentBytes: z.int(),
  receivedBytes: z.int(),
});
export type Timings = z.infer<typeof timingsSchema>;

/** A video task's states; `unknown` for words that are none of them. */
export const taskStatusSchema = z.enum(['queued', 'in_progress', 'completed', 'failed', 'unknown']);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** Who works on a run now, with its task; for an ended run, how far that got. */
export const phaseSchema = z.object({
  name: z.enum(['working', 'following', 'unfollowed', 'downloading']),
  task: z
    .object({
      id: z.string(),
      /** Null before the first reply. */
      status: taskStatusSchema.nullable(),
      /** The status as the gateway wrote it. */
      word: z.string().nullable(),
      /** As the gateway wrote it: `30%`. */
      progress: z.string().nullable(),
    })
    .nullable(),
});
export type Phase = z.infer<typeof phaseSchema>;

/** The only phase of an operation that sends a single request. */
export const initialPhase: Phase = { name: 'working', task: null };

interface PhaseTraits {
  /** This process works on the run now. */
  isActive: boolean;
  /** The gateway works on the task even if nobody polls it. */
  runsAtGateway: boolean;
  /** A later process can continue the run. */
  outlivesMain: boolean;
}

export const phaseTraits = {
  working: { isActive: true, runsAtGateway: false, outlivesMain: false },
  following: { isActive: true, runsAtGateway: true, outlivesMain: true },
  /** The user stopped following the task. */
  unfollowed: { isActive: false, runsAtGateway: true, outlivesMain: true },
  /** The main process fetches the video. */
  downloading: { isActive: true, runsAtGateway: false, outlivesMain: true },
} as const satisfies Record<Phase['name'], PhaseTraits>;

const numbered = {
  /** 1, 2, 3 … without a gap within a run. */
  seq: z.int().positive(),
  /** Milliseconds since the run's start. */
  atMs: z.number().nonnegative(),
  /** Which HTTP request and response of the run, from 0. */
  exchange: z.int().nonnegative(),
};

export const runEventSchema = z.discriminatedUnion('kind', [
  z.object({
    ...numbered,
    kind: z.literal('request'),
    method: z.string(),
    url: z.string(),
    /** The relative link for which `url` is asked, as the gateway wrote it; missing if there is none. */
    link: z.string().optional(),
    headers: headerListSchema,
    /** The body as sent when it is text; null if there is none. */
    body: z.string().nullable(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('response'),
    status: z.int(),
    headers: headerListSchema,
    /** The path within the gateway to which this redirect leads and is followed; missing in any other response. */
    followedTo: z.string().optional(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('chunk'),
    /** An SSE frame as received: `data` lines joined by a line feed, or a comment line. */
    data: z.string(),
    event: z.string().nullable(),
    comment: z.boolean(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('body'),
    /** The text of a reply that is not a stream. */
    text: z.string(),
    /** Its end is missing: it was cut on its way, or is longer than what is kept. */
    truncated: z.boolean(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('task'),
    /** Empty if the gateway named none: it sent the video at once. */
    taskId: z.string(),
    status: taskStatusSchema,
    /** The status word as the gateway sent it. */
    word: z.string(),
    /** The reply with the status, secrets redacted. */
    reply: jsonValueSchema,
  }),
  z.object({
    ...numbered,
    kind: z.literal('following'),
    /** Whether the task is polled from now on. */
    on: z.boolean(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('media'),
    /** A file that the run produced; recorded again when it is complete. */
    media: mediaSchema,
    /** The link that it was fetched from, as the gateway wrote it; missing in all that was not fetched whole. */
    url: z.string().optional(),
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
    kind: z.literal('exchange-end'),
    /** How this exchange ended by itself; what the run makes of that is the run's own end. */
    status: z.enum(['succeeded', 'failed', 'cancelled', 'unknown', 'interrupted']),
    /** Null if it succeeded, and if main died before it knew. */
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
    /** Null if main died before it could measure. */
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
  'exchange-end',
  'finish',
  'error',
] satisfies RunEventKind[]);
export type RunEventOf<Kind extends RunEventKind> = Extract<RunEvent, { kind: Kind }>;
/** An event before the ledger numbers and times it. */
export type RunEventBody = RunEvent extends infer Event
  ? Event extends RunEvent
    ? Omit<Event, 'seq' | 'atMs'>
    : never
  : never;

/** The line of figures under an answer. */
export const figuresSchema = z.object({
  model: z.string().nullable(),
  usage: usageSchema.nullable(),
  finishReasons: z.array(z.string()),
  /** Why a run that ended well brought nothing usable, in a sentence; null if it did. */
  noResult: z.string().nullable().default(null),
  /** Warnings about a chat's answer, because its message doesn't keep them. */
  warnings: z.array(z.string()).optional(),
});
export type Figures = z.infer<typeof figuresSchema>;

/** A run as lists show it. Times are Unix milliseconds. */
export const runSummarySchema = z.object({
  id: z.string(),
  operation: operationNameSchema,
  connectionId: z.string(),
  connectionName: z.string(),
  /** The model as requested. */
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
  /** The comparison that it is part of, and the place of its cell there; null for any other run. */
  comparisonId: z.string().nullable().default(null),
  cell: z.int().nullable().default(null),
  /** Estimated, in US dollars; null if no price applies, and before the end. */
  cost: z.number().nullable().default(null),
  /** The run with whose result it begins; null if it begins by itself. */
  sourceRunId: z.string().nullable().default(null),
  /** The start of the request's prompt or text, one line. */
  preview: z.string(),
  phase: phaseSchema,
  /** The files received, complete or not. */
  media: z.array(mediaSchema),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Returns false for a run that is not finished, and for one that succeeded without a usable result. */
export function hasResult({ status, figures }: Pick<RunSummary, 'status' | 'figures'>): boolean {
  return status === 'succeeded' && (figures?.noResult ?? null) === null;
}

/** Returns true if the gateway may still have the result of a task that didn't fail. */
export function canFollowAgain({ status, phase }: Pick<RunSummary, 'status' | 'phase'>): boolean {
  if (!isFinished(status) || status === 'succeeded' || phase.task === null) return false;
  return !(status === 'failed' && phase.task.status === 'failed');
}

/** Omitted fields are empty. */
export const runInputSchema = z.object({
  /** Fields of the interface and nothing else; those that are not set are left out. */
  request: jsonObjectSchema,
  /** Merged into the body last, under its own names; sent exactly as written, held to no limits. */
  extraBody: jsonObjectSchema.default({}),
  /** Field → the name it is sent under, for fields that the operation calls renamable. */
  wireNames: z.record(z.string(), z.string()).default({}),
  /** The id of a task that the gateway has already: nothing is sent, the task is followed. */
  follow: z.string().nullable().default(null),
});
export type RunInput = z.infer<typeof runInputSchema>;
export type PartialRunInput = z.input<typeof runInputSchema>;
