/** Defines a check: a probe of what a model honors, or a load test of a gateway. */
import { z } from 'zod';
import { stageSchema } from '../comparison.ts';
import { jsonObjectSchema } from '../json-schema.ts';
import { operationNameSchema } from '../operations/operation-name.ts';
import { runInputSchema } from '../run.ts';

/** `unclear` is shown as “Can’t tell”. */
export const verdictSchema = z.enum(['honored', 'ignored', 'rejected', 'unclear']);
export type Verdict = z.infer<typeof verdictSchema>;

export const verdictLabels: Record<Verdict, string> = {
  honored: 'Honored',
  ignored: 'Ignored',
  rejected: 'Rejected',
  unclear: 'Can’t tell',
};

/** The formats of a chat request; empty for chat completions, which is also every other operation's. */
export const chatFormatSchema = z.enum(['', 'messages', 'responses']);
export type ChatFormat = z.infer<typeof chatFormatSchema>;

const count = z.int().nonnegative();

const modelsSchema = z.array(z.string().trim().min(1).max(300)).min(1).max(20);

/** The verdict of one probe row for one model and format. */
export const rowVerdictSchema = z.object({
  model: z.string(),
  format: chatFormatSchema,
  rowId: z.string(),
  verdict: verdictSchema,
  sentence: z.string(),
  /** How likely the same responses are by chance; null if chance can't explain them. */
  chance: z.number().min(0).max(1).nullable(),
  evidence: z
    .object({
      /** Null once the run is deleted. */
      runId: z.string().nullable(),
      place: z.object({ comparisonId: z.string(), place: count }),
      /** The field of the response, such as `choices[0].finish_reason`. */
      field: z.string(),
    })
    .nullable(),
  /** Unix milliseconds. */
  atMs: z.number(),
});
export type RowVerdict = z.infer<typeof rowVerdictSchema>;

export const checkEstimateSchema = z.object({
  requests: count,
  inputTokens: count,
  /** Null if only the responses tell. */
  outputTokens: count.nullable(),
  /** US dollars; null without a price. */
  dollars: z.number().nonnegative().nullable(),
  /** The responses will add a cost that can't be estimated. */
  isLeast: z.boolean(),
});
export type CheckEstimate = z.infer<typeof checkEstimateSchema>;

/** A row that a probe will ask, with the number of its requests. */
export const askedRowSchema = z.object({
  id: z.string(),
  group: z.string(),
  label: z.string(),
  requests: count,
});
export type AskedRow = z.infer<typeof askedRowSchema>;

export const probeInputSchema = z.object({
  kind: z.literal('probe'),
  connectionId: z.string(),
  models: modelsSchema,
  /** The chat formats to ask; other operations have only one. */
  formats: z.array(chatFormatSchema).min(1).max(3),
  operations: z.array(operationNameSchema).min(1),
});
export type ProbeInput = z.infer<typeof probeInputSchema>;

const loadFigureSchema = z.enum(['firstTokenMs', 'betweenTokensMs', 'totalMs']);
export type LoadFigure = z.infer<typeof loadFigureSchema>;

export const targetPercentileSchema = z.literal([50, 90, 95, 99]);
export type TargetPercentile = z.infer<typeof targetPercentileSchema>;

export const loadTargetSchema = z.object({
  figure: loadFigureSchema,
  percentile: targetPercentileSchema,
  ms: z.number().positive(),
});
export type LoadTarget = z.infer<typeof loadTargetSchema>;

/** A null field sets no limit. */
const loadLimitsSchema = z.object({
  requests: z.int().positive().nullable(),
  /** Longer timers would overflow. */
  seconds: z.number().positive().max(1_000_000).nullable(),
  /** US dollars. */
  cost: z.number().positive().nullable(),
  /** The share of failed requests, from 0 to 1, of at least 20 finished ones. */
  errorShare: z.number().min(0).max(1).nullable(),
});

const loadSettingsSchema = z.object({
  /** The measured requests of each stage; those of the warm-up come on top. */
  stages: z.array(stageSchema).min(1).max(50),
  /** How many requests each user sends first in each stage; these aren't measured. */
  warmup: z.int().min(0).max(10),
  limits: loadLimitsSchema,
  target: loadTargetSchema.nullable(),
});
export type LoadSettings = z.infer<typeof loadSettingsSchema>;

export const loadInputSchema = loadSettingsSchema.extend({
  kind: z.literal('load'),
  connectionId: z.string(),
  models: modelsSchema,
  operation: operationNameSchema,
  /** Sent in turn, each with the model. */
  requests: z.array(jsonObjectSchema).min(1).max(1000),
  extraBody: runInputSchema.shape.extraBody,
  wireNames: runInputSchema.shape.wireNames,
});
export type LoadInput = z.infer<typeof loadInputSchema>;

export const checkInputSchema = z.discriminatedUnion('kind', [probeInputSchema, loadInputSchema]);
export type CheckInput = z.infer<typeof checkInputSchema>;

/** Milliseconds or tokens a second; a percentile is null with too few samples. */
export const percentilesSchema = z.object({
  count: z.int().positive(),
  p50: z.number(),
  p90: z.number(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number(),
});
export type LoadPercentiles = z.infer<typeof percentilesSchema>;

/** Measures the requests of one stage after its warm-up; a figure is null if no request has it. */
export const stageFiguresSchema = z.object({
  atOnce: z.int().positive(),
  warmupRequests: count,
  requests: count,
  failed: count,
  /** The number of failed requests by kind of error. */
  errors: z.record(z.string(), count),
  errorShare: z.number(),
  /** The measured time, in seconds. */
  seconds: z.number().nonnegative(),
  /** Successful requests a second; null before two have ended. */
  requestsPerSecond: z.number().nullable(),
  /** Output tokens a second of all users together. */
  tokensPerSecond: z.number().nullable(),
  firstTokenMs: percentilesSchema.nullable(),
  betweenTokensMs: percentilesSchema.nullable(),
  totalMs: percentilesSchema.nullable(),
  /** Output tokens a second of one request. */
  requestTokensPerSecond: percentilesSchema.nullable(),
  /** Null without a target or with too few requests; a failed request misses it. */
  meetsTarget: z.boolean().nullable(),
  /**
   * From the end of a user's response to the start of the user's next request, so that this
   * computer's limit isn't taken for the gateway's.
   */
  clientDelayMs: percentilesSchema.nullable(),
});
export type StageFigures = z.infer<typeof stageFiguresSchema>;

export const loadResultSchema = z.object({
  model: z.string(),
  stages: z.array(stageFiguresSchema),
});
export type LoadResult = z.infer<typeof loadResultSchema>;

export const stopReasonSchema = z.enum(['user', 'requests', 'seconds', 'cost', 'errors']);
export type StopReason = z.infer<typeof stopReasonSchema>;

const bodyHead = {
  /** Null unless it ended early. */
  stopped: stopReasonSchema.nullable().default(null),
  connectionId: z.string(),
  connectionName: z.string(),
  models: modelsSchema,
  comparisonIds: z.array(z.string()),
  estimate: checkEstimateSchema,
};

export const probeBodySchema = z.object({
  ...bodyHead,
  kind: z.literal('probe'),
  formats: probeInputSchema.shape.formats,
  operations: probeInputSchema.shape.operations,
  rulesVersion: z.int(),
  /** The rows asked, in order. */
  asked: z.array(askedRowSchema),
  verdicts: z.array(rowVerdictSchema),
});
export type ProbeBody = z.infer<typeof probeBodySchema>;

export const loadBodySchema = loadSettingsSchema.extend({
  ...bodyHead,
  kind: z.literal('load'),
  operation: operationNameSchema,
  /** The first request, and how many are sent in turn. */
  sent: z.object({ first: jsonObjectSchema, count: z.int().positive() }),
  results: z.array(loadResultSchema),
});
export type LoadBody = z.infer<typeof loadBodySchema>;

export const checkSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Unix milliseconds. */
  createdAt: z.number(),
  body: z.discriminatedUnion('kind', [probeBodySchema, loadBodySchema]),
});
export type Check = z.infer<typeof checkSchema>;

/** `held`: paused by a restart or a daily cap until the user resumes it. */
export const checkStateSchema = z.enum(['running', 'held', 'stopped', 'done']);
export type CheckState = z.infer<typeof checkStateSchema>;

export const checkProgressSchema = z.object({
  state: checkStateSchema,
  requests: count,
  running: count,
  /** Finished requests, including failed ones. */
  ended: count,
  failed: count,
  /** The sum of the known costs in US dollars; null if none is known. */
  dollars: z.number().nullable(),
});
export type CheckProgress = z.infer<typeof checkProgressSchema>;

export const listedCheckSchema = checkSchema.omit({ body: true }).extend({
  kind: z.enum(['probe', 'load']),
  connectionId: z.string(),
  connectionName: z.string(),
  models: modelsSchema,
  operations: z.array(operationNameSchema),
  comparisonIds: z.array(z.string()),
  state: checkStateSchema,
});
export type ListedCheck = z.infer<typeof listedCheckSchema>;

export const checkFormatSchema = z.enum(['markdown', 'csv', 'json']);
export type CheckFormat = z.infer<typeof checkFormatSchema>;

/** A row's latest verdict on a model that isn't “unclear”, for the fields of its form. */
export const checkHintSchema = rowVerdictSchema
  .pick({ rowId: true, format: true, verdict: true, sentence: true, atMs: true })
  .extend({ checkId: z.string() });
export type CheckHint = z.infer<typeof checkHintSchema>;

/** Returns the number of requests of a stage, with its warm-up. */
export function countStageRequests(
  { atOnce, requests }: LoadSettings['stages'][number],
  warmup: number,
): number {
  return requests + warmup * atOnce;
}
