/** The request as it goes out, its address included, and as it may be shown. */
import { randomBytes } from 'node:crypto';
import type { AppError } from '../../shared/errors.ts';
import { appError } from '../../shared/errors.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { Accepts, ExchangeObserver, WireRequest } from './exchange-types.ts';
import { createMultipartForm, type MultipartForm } from './multipart.ts';
import { REDACTED, type Redactor } from './redactor.ts';

export interface PreparedRequest {
  method: string;
  url: URL;
  /** Names and values in turn, as undici takes them. */
  headers: string[];
  body: Buffer | null;
  /** In place of `body`. */
  form: MultipartForm | null;
  /** Of the body, whichever it is. */
  sizeBytes: number;
  /** What the observer gets. */
  shown: Parameters<ExchangeObserver['request']>[0];
}

const VERSION_SUFFIX = /\/v1(?:beta)?$/;

/**
 * `baseUrl` may end in a slash, in `/v1` or in `/v1beta`; `path` brings its own version
 * (`/v1/chat/completions`), so that exactly one is in the result. A path prefix is kept.
 */
export function endpointUrl(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl.trim());
  const prefix = url.pathname.replace(/\/+$/, '').replace(VERSION_SUFFIX, '').replace(/\/+$/, '');
  return new URL(`${url.origin}${prefix}${path}`);
}

/** Printable ASCII without the space: what a bearer token can be made of. */
const SENDABLE_KEY = /^[\x21-\x7e]*$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * No compression is requested: what is shown and timed is what the gateway wrote. (A compressed
 * reply that comes all the same is decoded.)
 */
function ourHeaders(accepts: Accepts): HeaderList {
  const isJson = accepts === 'json' || accepts === 'json-list';
  return [
    ['Accept', isJson ? 'application/json, text/event-stream' : '*/*'],
    ['Accept-Encoding', 'identity'],
    ['User-Agent', 'Gatehouse'],
  ];
}

export function prepareRequest(
  request: WireRequest,
  key: string | null,
  redactor: Redactor,
): { prepared: PreparedRequest; problem: AppError | null } {
  const { method, url, accepts = 'json' } = request;
  const body = typeof request.body === 'string' ? Buffer.from(request.body, 'utf8') : null;
  const form =
    request.body === null || typeof request.body === 'string'
      ? null
      : createMultipartForm(request.body, newBoundary());
  const sizeBytes = form?.contentLength ?? body?.byteLength ?? 0;
  const ours = new Set(form ? [...OURS_ALONE, 'content-type'] : OURS_ALONE);
  const given = request.headers.filter(([name]) => !ours.has(name.toLowerCase()));
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const headers: HeaderList = [
    ...ourHeaders(accepts).filter(([name]) => !named.has(name.toLowerCase())),
    ...given,
    ...(form ? [['Content-Type', form.contentType] satisfies HeaderList[number]] : []),
  ];
  const authorization = (value: string): HeaderList =>
    key === null ? [] : [['Authorization', `Bearer ${value}`]];
  // undici writes these itself, in this spelling and at these places.
  const before: HeaderList = [
    ['host', url.host],
    ['connection', 'keep-alive'],
  ];
  const after: HeaderList = body || form ? [['content-length', String(sizeBytes)]] : [];
  const text =
    form?.shown ?? (typeof request.body === 'string' ? (request.shownBody ?? request.body) : null);
  const shownHeaders = redactor.headers([...before, ...headers, ...after]);
  const at = before.length + headers.length;
  return {
    prepared: {
      method,
      url,
      // Of a stream undici cannot know the length.
      headers: [...headers, ...authorization(key ?? ''), ...(form ? after : [])].flat(),
      body,
      form,
      sizeBytes,
      shown: {
        method,
        url: redactor.text(url.href),
        headers: shownHeaders.toSpliced(at, 0, ...authorization(REDACTED)),
        body: text === null ? null : redactor.text(text),
      },
    },
    problem: keyProblem(key) ?? headerProblem(headers),
  };
}

/** The connection's key, and what undici writes about the connection and the body by itself. */
const OURS_ALONE = [
  'authorization',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
];

function newBoundary(): string {
  return `----GatehouseForm${randomBytes(12).toString('hex')}`;
}

function keyProblem(key: string | null): AppError | null {
  if (key === null || SENDABLE_KEY.test(key)) return null;
  return appError(
    'invalid-request',
    'The API key contains a character that cannot be sent, such as a line break, a space or an accented letter.',
    'Copy only the key itself and set it again in Settings.',
    { fields: [] },
  );
}

function headerProblem(headers: HeaderList): AppError | null {
  const wrong = headers.find(
    ([name, value]) => !HEADER_NAME.test(name) || !HEADER_VALUE.test(value),
  );
  if (!wrong) return null;
  return appError(
    'invalid-request',
    `The header ${JSON.stringify(wrong[0])} contains a character that cannot be sent.`,
    'Correct the header and run it again.',
    { fields: [] },
  );
}
