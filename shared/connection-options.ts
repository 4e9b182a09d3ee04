/** Defines how a connection reaches its gateway and what it adds to each of its requests. */
import { z } from 'zod';
import { certificateFactsSchema, fingerprintSchema } from './certificate.ts';
import { timeoutsSchema } from './settings.ts';

/** An HTTP token (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The request's own framing, which a connection can't change. */
const RESERVED_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
]);

const headerName = z
  .string()
  .trim()
  .max(200, 'Use at most 200 characters.')
  .regex(TOKEN, 'Enter a header name without spaces, such as X-Team.')
  .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), 'Gatehouse sets this header.');

/** The scheme `Basic` means that the key is `user:password`, which is sent in base64. */
export const keyHeaderSchema = z.object({
  /** Such as `Authorization`, `api-key` or `x-api-key`. */
  name: headerName,
  /** Precedes the key; empty for none. */
  scheme: z
    .string()
    .trim()
    .max(40, 'Use at most 40 characters.')
    .refine((scheme) => scheme === '' || TOKEN.test(scheme), 'Enter one word, such as Bearer.'),
});
export type KeyHeader = z.infer<typeof keyHeaderSchema>;

export const bearerHeader: KeyHeader = { name: 'Authorization', scheme: 'Bearer' };
export const basicHeader: KeyHeader = { name: 'Authorization', scheme: 'Basic' };

/** A header or query parameter that is added to every request to the connection's origin. */
const addedValueSchema = z.object({
  id: z.string(),
  name: z.string(),
  isSecret: z.boolean(),
  /** Null if it is secret, because the main process never returns it. */
  value: z.string().nullable(),
  /** Names in the value's `$NAME` and `${NAME}`, which are replaced when a request is sent. */
  variables: z.array(z.string()),
});
export type AddedValue = z.infer<typeof addedValueSchema>;

const addedValueInput = {
  /** Made by the page, and kept when the entry is edited. */
  id: z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/, 'This isn’t an ID.'),
  /** Null keeps the saved value of the entry with this ID. */
  value: z.string().max(8192, 'Use at most 8,192 characters.').nullable(),
};

export const headerInputSchema = z.object({
  ...addedValueInput,
  name: headerName,
  value: addedValueInput.value.refine(
    (value) => value === null || HEADER_VALUE.test(value),
    'Header values can’t contain line breaks or characters beyond Latin-1.',
  ),
  isSecret: z.boolean().default(true),
});

export const queryInputSchema = z.object({
  ...addedValueInput,
  name: z.string().trim().min(1, 'Enter a name.').max(200, 'Use at most 200 characters.'),
  isSecret: z.boolean().default(false),
});
export type AddedValueInput = z.infer<typeof headerInputSchema>;

const { connectSeconds, firstByteSeconds, stallSeconds } = timeoutsSchema.shape;

/** Null uses the timeout in Settings. */
export const connectionTimeoutsSchema = z.object({
  connectSeconds: connectSeconds.nullable(),
  firstByteSeconds: firstByteSeconds.nullable(),
  stallSeconds: stallSeconds.nullable(),
});
export type ConnectionTimeouts = z.infer<typeof connectionTimeoutsSchema>;

export const defaultConnectionTimeouts: ConnectionTimeouts = {
  connectSeconds: null,
  firstByteSeconds: null,
  stallSeconds: null,
};

const PROXY_URL =
  /^((?:https?|socks(?:4a?|5h?)?):\/\/)?(?:([^/?#]*)@)?((?:\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::\d{1,5})?)\/?$/i;

/** Separates `user:password@` from a proxy's URL; null if it isn't a proxy's URL. */
export function splitProxyUrl(text: string): { url: string; login: string | null } | null {
  const [, scheme = 'http://', login, host] = PROXY_URL.exec(text.trim()) ?? [];
  if (host === undefined) return null;
  return { url: `${scheme.toLowerCase()}${host}`, login: login ? login : null };
}

const proxySchema = z.discriminatedUnion('kind', [
  /** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, or else the system's proxy. */
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('url'), url: z.string(), hasLogin: z.boolean() }),
]);

export const proxyInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('url'),
    /** May contain `user:password@`, which is kept like a key. */
    url: z
      .string()
      .trim()
      .max(2048, 'Use at most 2,048 characters.')
      .refine(
        (url) => splitProxyUrl(url) !== null,
        'Enter a proxy such as http://proxy.example:3128 or socks5://127.0.0.1:1080.',
      ),
    /** Keeps the saved user name and password if the URL has none and the proxy is the same. */
    keepsLogin: z.boolean().default(false),
  }),
]);

/** PEM files of this size hold a few hundred certificates. */
const MAX_CERTIFICATE_LENGTH = 256 * 1024;
export const pemSchema = z.string().max(MAX_CERTIFICATE_LENGTH, 'The file is larger than 256 KiB.');
const passphrase = z.string().max(1024, 'Use at most 1,024 characters.').nullable().default(null);

/** `saved` keeps what is saved. */
const caInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved') }),
  /** The text of a PEM file, which may hold several certificates. */
  z.object({ kind: z.literal('pem'), text: pemSchema }),
]);

export const clientCertificateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pem'), certificate: pemSchema, key: pemSchema, passphrase }),
  /** The bytes of a PFX (PKCS #12) file in base64. */
  z.object({ kind: z.literal('pfx'), data: pemSchema, passphrase }),
]);
export type ClientCertificate = z.infer<typeof clientCertificateSchema>;

const clientCertificateInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved') }),
  ...clientCertificateSchema.options,
]);

/** A file that the user chose, before it is saved. */
export const certificateInputSchema = z.discriminatedUnion('use', [
  z.object({ use: z.literal('ca'), text: pemSchema }),
  z.object({ use: z.literal('client'), certificate: clientCertificateSchema }),
]);

/** A connection's options as the page sees them; secret values never leave the main process. */
export const connectionOptionsSchema = z.object({
  keyHeader: keyHeaderSchema,
  headers: z.array(addedValueSchema),
  query: z.array(addedValueSchema),
  /** Trusted besides the system's certificates, for every request of the connection. */
  caCertificates: z.array(certificateFactsSchema),
  /** Null if there is none; sent only to the connection's origin. */
  clientCertificate: certificateFactsSchema.nullable(),
  /** The gateway's certificate that is accepted although nothing trusts it; null for none. */
  acceptedFingerprint: z.string().nullable(),
  timeouts: connectionTimeoutsSchema,
  proxy: proxySchema,
});
export type ConnectionOptions = z.infer<typeof connectionOptionsSchema>;

export const MAX_ADDED_VALUES = 50;
const tooMany = 'The limit is 50.';

interface NamedHeaders {
  keyHeader: { name: string };
  headers: readonly { name: string }[];
}

/** Adds an issue for each header that is listed twice or is the key's. */
export function checkHeaderNames(
  { keyHeader, headers }: NamedHeaders,
  context: z.RefinementCtx,
): void {
  const keyName = keyHeader.name.toLowerCase();
  const names = new Set([keyName]);
  headers.forEach(({ name }, index) => {
    const folded = name.toLowerCase();
    const message =
      folded === keyName ? 'The key is sent in this header.' : 'This header is already listed.';
    if (names.has(folded)) {
      context.addIssue({ code: 'custom', path: ['headers', index, 'name'], message });
    }
    names.add(folded);
  });
}

/**
 * Sets all options; a field that is left out returns to its default. `null`, `saved` and
 * `keepsLogin` keep a secret that the page never sees, unless the base URL's origin changes.
 */
export const connectionOptionsInputSchema = z
  .object({
    keyHeader: keyHeaderSchema.default(bearerHeader),
    headers: z.array(headerInputSchema).max(MAX_ADDED_VALUES, tooMany).default([]),
    query: z.array(queryInputSchema).max(MAX_ADDED_VALUES, tooMany).default([]),
    caCertificate: caInputSchema.nullable().default(null),
    clientCertificate: clientCertificateInputSchema.nullable().default(null),
    acceptedFingerprint: fingerprintSchema.nullable().default(null),
    timeouts: connectionTimeoutsSchema.default(defaultConnectionTimeouts),
    proxy: proxyInputSchema.default({ kind: 'default' }),
  })
  .superRefine(({ keyHeader, headers, query }, context) => {
    checkHeaderNames({ keyHeader, headers }, context);
    const ids = [...headers, ...query].map(({ id }) => id);
    if (new Set(ids).size < ids.length) {
      context.addIssue({ code: 'custom', path: ['headers'], message: 'Two entries have one ID.' });
    }
  });
export type ConnectionOptionsInput = z.infer<typeof connectionOptionsInputSchema>;

export const defaultConnectionOptions: ConnectionOptions = {
  keyHeader: bearerHeader,
  headers: [],
  query: [],
  caCertificates: [],
  clientCertificate: null,
  acceptedFingerprint: null,
  timeouts: defaultConnectionTimeouts,
  proxy: { kind: 'default' },
};

const VARIABLE = /\$(?:\$|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** Returns the variables in `$NAME` and `${NAME}`; `$$` stands for a dollar sign. */
export function listVariables(text: string): string[] {
  const names = [...text.matchAll(VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

/** Writes text that has no variables, such as a pasted value. */
export function escapeVariables(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/** Replaces the variables with what `read` returns, and `$$` with a dollar sign. */
export function replaceVariables(text: string, read: (name: string) => string): string {
  return text.replace(VARIABLE, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    return name === undefined ? '$' : read(name);
  });
}
