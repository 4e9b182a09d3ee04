/** Defines the file for exporting and importing connections, which contains no secrets. */
import { z } from 'zod';
import { connectionInputSchema } from './connection.ts';
import {
  checkEndpoints,
  checkHeaderNames,
  connectionTimeoutsSchema,
  endpointSchema,
  headerInputSchema,
  keyHeaderSchema,
  listVariables,
  MAX_ADDED_VALUES,
  pemSchema,
  proxyInputSchema,
  queryInputSchema,
  splitProxyUrl,
} from './connection-options.ts';
import { readPastedUrl } from './pasted-connection.ts';

/** In characters; enough for more than a thousand connections. */
export const MAX_CONNECTION_FILE_LENGTH = 4_000_000;
const MAX_CONNECTIONS = 1000;

/** Rejects variables, which would let someone else's file send any environment variable. */
const plainValue = z
  .string()
  .max(8192, 'Use at most 8,192 characters.')
  .nullable()
  .refine(
    (value) => value === null || listVariables(value).length === 0,
    'Environment variables can’t be imported. Enter this value after importing.',
  );

/** The value is null if it is secret and must be entered after importing. */
const exportedHeaderSchema = z.strictObject({
  name: headerInputSchema.shape.name,
  isSecret: z.boolean(),
  value: plainValue.pipe(headerInputSchema.shape.value),
});
const exportedQuerySchema = z.strictObject({
  name: queryInputSchema.shape.name,
  isSecret: z.boolean(),
  value: plainValue,
});

const hasPem = (text: string) => /^-----BEGIN (?:TRUSTED )?CERTIFICATE-----$/m.test(text);

const exportedConnectionSchema = z
  .strictObject({
    name: connectionInputSchema.shape.name.regex(
      /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u,
      'The name contains a control character.',
    ),
    baseUrl: connectionInputSchema.shape.baseUrl.refine((text) => {
      const { login, query } = readPastedUrl(text);
      return login === null && query.length === 0;
    }, 'The base URL can’t contain a user name, a password or a query.'),
    keyHeader: z.strictObject(keyHeaderSchema.shape),
    headers: z.array(exportedHeaderSchema).max(MAX_ADDED_VALUES),
    query: z.array(exportedQuerySchema).max(MAX_ADDED_VALUES),
    /** The text of a PEM file; a CA certificate is public. */
    caCertificate: pemSchema
      .refine(hasPem, 'This isn’t the text of a PEM certificate. Paths aren’t read.')
      .nullable(),
    timeouts: z.strictObject(connectionTimeoutsSchema.shape),
    endpoints: z.array(z.strictObject(endpointSchema.shape)).max(MAX_ADDED_VALUES).default([]),
    /** Excludes the user name and password. */
    proxy: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('default') }),
      z.strictObject({ kind: z.literal('none') }),
      z.strictObject({
        kind: z.literal('url'),
        url: proxyInputSchema.options[2].shape.url.refine(
          (url) => splitProxyUrl(url)?.login === null,
          'The proxy can’t contain a user name or a password.',
        ),
      }),
    ]),
  })
  .superRefine(checkHeaderNames)
  .superRefine(checkEndpoints);
export type ExportedConnection = z.infer<typeof exportedConnectionSchema>;

export const CONNECTION_FILE_FORMAT = 'gatehouse-connections';
export const CONNECTION_FILE_VERSION = 1;

export const connectionFileSchema = z.strictObject({
  format: z.literal(CONNECTION_FILE_FORMAT),
  version: z.literal(CONNECTION_FILE_VERSION),
  connections: z
    .array(exportedConnectionSchema)
    .max(MAX_CONNECTIONS, 'The limit is 1,000 connections.'),
});
export type ConnectionFile = z.infer<typeof connectionFileSchema>;
