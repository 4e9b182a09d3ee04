/** Defines a connection to a gateway; the API key never leaves the main process. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';

/** The API key's storage and protection. */
export const keyProtectionSchema = z.enum([
  /** Kept in memory until the app exits. */
  'session',
  /** Stored in an unencrypted file that only the user can read (mode 0600). */
  'file',
  /** Encrypted with the operating system's keyring. */
  'keyring',
  /** Read from the `GATEHOUSE_API_KEY` environment variable. */
  'environment',
]);
export type KeyProtection = z.infer<typeof keyProtectionSchema>;

export const keyKeepingSchema = z.enum(['session', 'file', 'keyring']);
export type KeyKeeping = z.infer<typeof keyKeepingSchema>;

export const connectionKindSchema = z.enum(['demo', 'environment', 'custom']);

export const connectionSchema = z.object({
  id: z.string(),
  kind: connectionKindSchema,
  name: z.string(),
  /** The base URL; requests append `/v1` or `/v1beta` unless the URL already has a version. */
  baseUrl: z.string(),
  /** Null if there is no key; `lastFour` is empty if the key has fewer than 12 characters. */
  key: z.object({ lastFour: z.string(), protection: keyProtectionSchema }).nullable(),
  createdAt: z.number(),
  /** A sentence that explains why requests to the demo gateway can't be sent. */
  unavailable: z.string().optional(),
});
export type Connection = z.infer<typeof connectionSchema>;

/**
 * Rejects credentials, which would leak into logs, and queries and fragments, which break paths.
 */
const BASE_URL = /^https?:\/\/[^/@?#\s]+(\/[^@?#\s]*)?$/i;

/** Endpoints that users paste along with the base URL from a provider's documentation. */
const ENDPOINTS = [
  '(?:chat/)?completions',
  'responses',
  'messages',
  'embeddings',
  'images/(?:generations|edits|variations)',
  'audio/(?:speech|transcriptions|translations)',
  'video/generations',
  'videos',
  'rerank',
  'models(?:/[^:]+:[a-z]+)?',
].join('|');
const PASTED_URL = new RegExp(`^(https?://[^/]+(?:/.*?)?)(/(?:${ENDPOINTS}))/*$`, 'i');

/** Strips a pasted endpoint from a base URL; `removed` is null if there was none. */
export function cutEndpoint(url: string): { baseUrl: string; removed: string | null } {
  const text = url.trim();
  const [, baseUrl, removed] = PASTED_URL.exec(text) ?? [];
  if (baseUrl === undefined || removed === undefined) return { baseUrl: text, removed: null };
  return { baseUrl: baseUrl.replace(/\/+$/, ''), removed };
}

export const connectionInputSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(60, 'Use at most 60 characters.'),
  baseUrl: z
    .string()
    .trim()
    .regex(
      BASE_URL,
      'Enter a URL that starts with http:// or https://, such as https://gateway.example.com.',
    )
    .overwrite((url) => cutEndpoint(url).baseUrl),
});
export type ConnectionInput = z.infer<typeof connectionInputSchema>;

export const connectionActivitySchema = z.object({
  running: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
  /** Paused comparisons that need confirmation, for example after a restart; newest first. */
  held: z.array(z.object({ title: z.string(), requests: z.int().positive() })),
});
export type ConnectionActivity = z.infer<typeof connectionActivitySchema>;

/** The result of `GET /v1/models`, which tests a connection. */
export const connectionTestSchema = z.object({
  /** False with a null `error` is only a warning: the gateway may still accept requests. */
  ok: z.boolean(),
  summary: z.string(),
  url: z.string(),
  status: z.int().nullable(),
  modelCount: z.int().nullable(),
  durationMs: z.number(),
  error: appErrorSchema.nullable(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
