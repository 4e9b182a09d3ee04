/** Settings and their defaults. */
import { z } from 'zod';
import { type OperationName, operationNameSchema } from './operations/operation-name.ts';
import { feedProblem } from './update-feed.ts';

/** Seconds; 0 means no limit. */
const seconds = z
  .number()
  .min(0, 'Enter 0 or more seconds.')
  .max(86_400, 'Enter at most 86,400 seconds (one day).');

export const timeoutsSchema = z.object({
  connectSeconds: seconds,
  /** From the request's last byte to the response head. */
  firstByteSeconds: seconds,
  /** Without a single byte while the response arrives. */
  stallSeconds: seconds,
});
export type Timeouts = z.infer<typeof timeoutsSchema>;

export const settingsSchema = z.object({
  theme: z.enum(['light', 'dark', 'system']),
  density: z.enum(['compact', 'comfortable']),
  /** Enter runs what is written in the chat's composer; Shift+Enter is a new line. */
  enterSends: z.boolean(),
  selectedConnectionId: z.string().nullable(),
  /** Only what the user changed; the rest is the operation's own default. */
  timeouts: z.partialRecord(operationNameSchema, timeoutsSchema),
  /** How many requests of comparisons are under way at once, by connection; only what the user changed. */
  requestsAtOnce: z.record(
    z.string(),
    z.int().min(1, 'Enter at least 1.').max(50, 'Enter at most 50.'),
  ),
  /** US dollars that the runs of a connection may cost in a day before the user is asked; none for the others. */
  dailyCaps: z.record(
    z.string(),
    z
      .number('Enter a number.')
      .min(0, 'Enter 0 or more.')
      .max(1_000_000, 'Enter at most 1,000,000.'),
  ),
  /** Where newer versions of the desktop are offered; null: no check is made. */
  updateFeedUrl: z
    .string()
    .superRefine((text, context) => {
      const message = feedProblem(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .nullable(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  theme: 'system',
  density: 'compact',
  enterSends: false,
  selectedConnectionId: null,
  timeouts: {},
  requestsAtOnce: {},
  dailyCaps: {},
  updateFeedUrl: null,
};

/** The limit for one connection's comparison requests. */
export const DEFAULT_REQUESTS_AT_ONCE = 3;

/** Generous: slow models think for minutes, and a client's own time-out loses what was paid for. */
const generous: Timeouts = { connectSeconds: 30, firstByteSeconds: 900, stallSeconds: 300 };

export const defaultTimeouts: Record<OperationName, Timeouts> = {
  chat: generous,
  completion: generous,
  image: generous,
  video: generous,
  rerank: generous,
  speech: generous,
  transcription: generous,
  console: generous,
};
