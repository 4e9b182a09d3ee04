/** Defines the procedures of connections. No procedure returns a key or another secret. */
import { z } from 'zod';
import { certificateFactsSchema } from '../certificate.ts';
import {
  connectionActivitySchema,
  connectionDraftSchema,
  connectionInputSchema,
  connectionSchema,
  connectionTestSchema,
  keyKeepingSchema,
  keyTestSchema,
} from '../connection.ts';
import { connectionFileSchema, MAX_CONNECTION_FILE_LENGTH } from '../connection-file.ts';
import { certificateInputSchema } from '../connection-options.ts';
import { byId, procedure } from './procedure.ts';

export const connectionsContract = {
  list: procedure.output(z.array(connectionSchema)),
  /**
   * `user:password@` in the base URL becomes the key of Basic authentication, and `?name=value`
   * query parameters. Show the user both beforehand, with `readPastedUrl`.
   */
  create: procedure.input(connectionInputSchema).output(connectionSchema),
  /**
   * A new origin deletes the key, secret values, client certificate and accepted certificate,
   * which belong to the old one; `null` and `saved` values are then rejected as fields.
   */
  update: procedure
    .input(connectionInputSchema.extend({ id: z.string() }))
    .output(connectionSchema),
  activity: procedure.input(byId).output(connectionActivitySchema),
  remove: procedure.input(byId).output(z.void()),
  /** Cleans the key as `cleanPastedKey` does; for the scheme Basic, it must be `user:password`. */
  setKey: procedure
    .input(
      z.object({
        id: z.string(),
        key: z.string().trim().min(1, 'Enter a key.').max(8192),
        keeping: keyKeepingSchema,
      }),
    )
    .output(connectionSchema),
  removeKey: procedure.input(byId).output(connectionSchema),
  test: procedure.input(byId).output(connectionTestSchema),
  /** Tests an unsaved connection without storing anything. */
  testDraft: procedure.input(connectionDraftSchema).output(connectionTestSchema),
  /** Sends a chat request for one token, which the gateway may bill, and stores nothing. */
  testKey: procedure
    .input(z.object({ draft: connectionDraftSchema, model: z.string() }))
    .output(keyTestSchema),
  /**
   * Describes the certificates in a chosen file before it is saved. A wrong passphrase or file
   * causes an `invalid-request` error with fields.
   */
  readCertificate: procedure.input(certificateInputSchema).output(z.array(certificateFactsSchema)),
  /** Excludes keys, secret values, proxy logins, client certificates and accepted certificates. */
  export: procedure.output(connectionFileSchema),
  /**
   * Adds all connections of an exported file, or none: an invalid file causes an `invalid-request`
   * error whose fields have paths such as `connections`, `2`, `baseUrl`. A name that is already
   * used gets a number. Check the size before reading a file: `MAX_CONNECTION_FILE_LENGTH`.
   */
  import: procedure
    .input(z.object({ text: z.string().max(MAX_CONNECTION_FILE_LENGTH, 'The file is too large.') }))
    .output(z.array(connectionSchema)),
};
