/** Defines a connection to a gateway; the API key never leaves the main process. */
import { z } from 'zod';
import { certificateFactsSchema } from './certificate.ts';
import { connectionOptionsInputSchema, connectionOptionsSchema } from './connection-options.ts';
import { appErrorSchema } from './error-schema.ts';
import { readPastedUrl } from './pasted-connection.ts';

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
  options: connectionOptionsSchema,
  /** Whether the key or secret values were lost, for example when a session ended. */
  lost: z.object({ key: z.boolean(), values: z.boolean() }),
  createdAt: z.number(),
  /** A sentence that explains why requests to the demo gateway can't be sent. */
  unavailable: z.string().optional(),
});
export type Connection = z.infer<typeof connectionSchema>;

/** The part of a pasted URL that is stored; its login and query are stored separately. */
const BASE_URL = /^https?:\/\/[^/@?#\s]+(\/[^@?#\s]*)?$/i;

export const connectionInputSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(60, 'Use at most 60 characters.'),
  baseUrl: z
    .string()
    .max(8192, 'Use at most 8,192 characters.')
    .refine(
      (text) => BASE_URL.test(readPastedUrl(text).baseUrl),
      'Enter a URL that starts with http:// or https://, such as https://gateway.example.com.',
    )
    .overwrite((text) => {
      const { baseUrl, login, query } = readPastedUrl(text);
      return login === null && query.length === 0 ? baseUrl : text;
    }),
  /** If omitted, a new connection gets the defaults and an update changes no option. */
  options: connectionOptionsInputSchema.optional(),
  /** Where the options' secrets are stored; by default, their current place or else the safest. */
  keeping: keyKeepingSchema.optional(),
});
export type ConnectionInput = z.infer<typeof connectionInputSchema>;

/** An unsaved connection in the dialog; testing it stores nothing. */
export const connectionDraftSchema = z.object({
  /**
   * The saved connection being edited; null for a new one. Its secrets replace those that the draft
   * keeps, unless the draft's base URL has another origin.
   */
  id: z.string().nullable(),
  baseUrl: connectionInputSchema.shape.baseUrl,
  options: connectionInputSchema.shape.options,
  /** If omitted, the saved key is used; if empty, no key is sent. */
  key: z.string().max(8192).optional(),
});
export type ConnectionDraft = z.infer<typeof connectionDraftSchema>;

export const connectionActivitySchema = z.object({
  running: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
  /** Paused comparisons that need confirmation, for example after a restart; newest first. */
  held: z.array(z.object({ title: z.string(), requests: z.int().positive() })),
});
export type ConnectionActivity = z.infer<typeof connectionActivitySchema>;

/** The result of a chat request for one token, which tests the key of a draft. */
export const keyTestSchema = z.object({
  /** False with a null `error` if the gateway's response says nothing about the key. */
  ok: z.boolean(),
  summary: z.string(),
  error: appErrorSchema.nullable(),
});
export type KeyTest = z.infer<typeof keyTestSchema>;

/** The result of `GET /v1/models`, which tests a connection or a draft. */
export const connectionTestSchema = z.object({
  /** False with a null `error` is only a warning: the gateway may still accept requests. */
  ok: z.boolean(),
  summary: z.string(),
  /** The requested URL, with secret query parameters redacted. */
  url: z.string(),
  status: z.int().nullable(),
  modelCount: z.int().nullable(),
  /** Model IDs in the gateway's order; null if it lists none. */
  models: z.array(z.string()).nullable(),
  durationMs: z.number(),
  error: appErrorSchema.nullable(),
  /**
   * The gateway's certificate if it isn't trusted. The user can accept its fingerprint, which is
   * stored as the option `acceptedFingerprint`.
   */
  certificate: certificateFactsSchema.nullable(),
  /**
   * A model for `testKey` if the gateway lists its models without a key too, so that the list says
   * nothing about the key; null otherwise.
   */
  keyModel: z.string().nullable(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
