/** A gateway the user can run against: a name, a base URL and a key that never leaves main. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';

/** How long a key stays and what guards it. */
export const keyProtectionSchema = z.enum([
  /** In memory until Gatehouse ends. */
  'session',
  /** In a file that only this user can read (mode 0600), not encrypted. */
  'file',
  /** Encrypted by the operating system's keyring. */
  'keyring',
  /** From GATEHOUSE_API_KEY. */
  'environment',
]);
export type KeyProtection = z.infer<typeof keyProtectionSchema>;

/** Where the user wants a new key to be stored. */
export const keyKeepingSchema = z.enum(['session', 'file', 'keyring']);
export type KeyKeeping = z.infer<typeof keyKeepingSchema>;

export const connectionKindSchema = z.enum(['demo', 'environment', 'custom']);

export const connectionSchema = z.object({
  id: z.string(),
  kind: connectionKindSchema,
  name: z.string(),
  /** As the user wrote it; requests go to it with exactly one `/v1` or `/v1beta` behind it. */
  baseUrl: z.string(),
  /** Null if there is no key. `lastFour` is empty for keys shorter than 12 characters. */
  key: z.object({ lastFour: z.string(), protection: keyProtectionSchema }).nullable(),
  createdAt: z.number(),
});
export type Connection = z.infer<typeof connectionSchema>;

/** No credentials, query or fragment: they would end up in logs or break paths. */
const BASE_URL = /^https?:\/\/[^/@?#\s]+(\/[^@?#\s]*)?$/i;

export const connectionInputSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(60, 'Use at most 60 characters.'),
  baseUrl: z
    .string()
    .trim()
    .regex(
      BASE_URL,
      'Enter a URL that starts with http:// or https://, such as https://gateway.example.com.',
    ),
});
export type ConnectionInput = z.infer<typeof connectionInputSchema>;

/** The running and waiting requests of a connection. */
export const connectionActivitySchema = z.object({
  /** Requests under way. */
  running: z.int().nonnegative(),
  /** Those of comparisons, which are sent once there is room. */
  waiting: z.int().nonnegative(),
  /** Those of comparisons that are sent only when the user says so, as after a restart; the newest comparison first. */
  held: z.array(z.object({ title: z.string(), requests: z.int().positive() })),
});
export type ConnectionActivity = z.infer<typeof connectionActivitySchema>;

/** The result of `GET /v1/models`, the request of a connection test. */
export const connectionTestSchema = z.object({
  ok: z.boolean(),
  /** One sentence: what answered. */
  summary: z.string(),
  url: z.string(),
  status: z.int().nullable(),
  /** How many models the list named; null if there was no list. */
  modelCount: z.int().nullable(),
  durationMs: z.number(),
  error: appErrorSchema.nullable(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
