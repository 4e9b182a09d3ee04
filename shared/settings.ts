/** Defines the settings and their defaults. */
import { z } from 'zod';
import { type OperationName, operationNameSchema } from './operations/operation-name.ts';
import { findFeedProblem } from './update-feed.ts';

/** 0 means no limit. */
const seconds = z
  .number()
  .min(0, 'Enter 0 or more seconds.')
  .max(86_400, 'Enter at most 86,400 seconds (one day).');

export const timeoutsSchema = z.object({
  connectSeconds: seconds,
  /** From the last byte of the request to the response headers. */
  firstByteSeconds: seconds,
  /** The maximum time between bytes of the response. */
  stallSeconds: seconds,
});
export type Timeouts = z.infer<typeof timeoutsSchema>;

export const keepRunsDaysSchema = z.literal([7, 30, 90]);
export type KeepRunsDays = z.infer<typeof keepRunsDaysSchema>;

export const settingsSchema = z.object({
  theme: z.enum(['light', 'dark', 'system']),
  density: z.enum(['compact', 'comfortable']),
  /** If true, Enter sends the message and Shift+Enter inserts a line break. */
  enterSends: z.boolean(),
  selectedConnectionId: z.string().nullable(),
  /** Contains only changed timeouts; other operations use the defaults. */
  timeouts: z.partialRecord(operationNameSchema, timeoutsSchema),
  /** The number of concurrent comparison requests by connection, if it isn't the default. */
  requestsAtOnce: z.record(
    z.string(),
    z.int().min(1, 'Enter at least 1.').max(50, 'Enter at most 50.'),
  ),
  /** Daily cost in US dollars by connection that requires confirmation; no cap if missing. */
  dailyCaps: z.record(
    z.string(),
    z
      .number('Enter a number.')
      .min(0, 'Enter 0 or more.')
      .max(1_000_000, 'Enter at most 1,000,000.'),
  ),
  /** Model IDs by connection, in the order in which they were starred. */
  favoriteModels: z.record(z.string(), z.array(z.string().max(300)).max(500)),
  /** If true, models without another price are estimated with public list prices. */
  usesListPrices: z.boolean(),
  /** Older runs outside conversations are deleted; null keeps all. */
  keepRunsDays: keepRunsDaysSchema.nullable(),
  /** The desktop app's update feed; null disables update checks. */
  updateFeedUrl: z
    .string()
    .superRefine((text, context) => {
      const message = findFeedProblem(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .nullable(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  theme: 'system',
  density: 'compact',
  enterSends: true,
  selectedConnectionId: null,
  timeouts: {},
  requestsAtOnce: {},
  dailyCaps: {},
  favoriteModels: {},
  usesListPrices: false,
  keepRunsDays: null,
  updateFeedUrl: null,
};

export const DEFAULT_REQUESTS_AT_ONCE = 3;

/** Reasoning models can take minutes, and a timeout discards an answer that was already billed. */
const generous: Timeouts = { connectSeconds: 30, firstByteSeconds: 900, stallSeconds: 300 };

export const defaultTimeouts: Record<OperationName, Timeouts> = {
  chat: generous,
  completion: generous,
  image: generous,
  video: generous,
  rerank: generous,
  embeddings: generous,
  speech: generous,
  transcription: generous,
  console: generous,
};
