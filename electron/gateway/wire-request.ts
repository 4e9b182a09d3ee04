/** Builds the request with the API key, and a redacted copy for display. */
import { randomBytes } from 'node:crypto';
import { type AppError, appError } from '../../shared/errors.ts';
import { cutEndpoint } from '../../shared/pasted-connection.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { addQuery, getKeyHeader, isBasic, withoutCredentials } from './access.ts';
import type { Accepts, ExchangeObserver, WireRequest } from './exchange-types.ts';
import { createMultipartForm, type MultipartForm } from './multipart.ts';
import type { AddedPair, GatewayAccess } from './route.ts';

export interface PreparedRequest {
  method: string;
  url: URL;
  headers: string[];
  body: Buffer | null;
  form: MultipartForm | null;
  sizeBytes: number;
  shown: Parameters<ExchangeObserver['request']>[0];
}

const OUR_VERSION = /\/v1(?:beta)?$/;
const ANY_VERSION = /\/v\d+(?:\.\d+)*(?:(?:alpha|beta|preview)\d*)?(?:\/|$)/i;

/**
 * An Azure OpenAI deployment, whose paths have no version but need an `api-version` parameter:
 * https://learn.microsoft.com/azure/ai-services/openai/reference. Models are listed per resource.
 */
const DEPLOYMENT = /\/deployments\/[^/]+$/i;

/**
 * Replaces `/v1` or `/v1beta` at the end of `baseUrl` with the version in `path`. If the base URL
 * has another version, such as `/api/v3` or `/v1beta/openai`, the version in `path` is dropped.
 */
export function resolveEndpoint(baseUrl: string, path: string): URL {
  const url = new URL(cutEndpoint(baseUrl).baseUrl);
  const base = url.pathname.replace(/\/+$/, '');
  const prefix = base.replace(OUR_VERSION, '').replace(/\/+$/, '');
  const isDeployment = DEPLOYMENT.test(base);
  if (isDeployment && path === '/v1/models') {
    return new URL(`${url.origin}${base.replace(DEPLOYMENT, '')}/models`);
  }
  const isComplete = isDeployment || (prefix === base && ANY_VERSION.test(base));
  const rest = isComplete ? path.replace(/^\/v1(?:beta)?(?=\/)/, '') : path;
  return new URL(`${url.origin}${prefix}${rest}`);
}

/** Resolves a path or URL; only the base URL's origin gets the credentials. */
export function resolveTarget(
  { baseUrl, access }: { baseUrl: string; access: GatewayAccess },
  path: string | URL,
): { url: URL; access: GatewayAccess } {
  const url = path instanceof URL ? path : resolveEndpoint(baseUrl, path);
  const isOwn = url.origin === new URL(baseUrl).origin;
  return { url, access: isOwn ? access : withoutCredentials(access) };
}

const SENDABLE_KEY = /^[\x21-\x7e]*$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Disables compression, so that timings reflect the gateway. */
function createDefaultHeaders(accepts: Accepts): HeaderList {
  const isJson = accepts === 'json' || accepts === 'json-list';
  return [
    ['Accept', isJson ? 'application/json, text/event-stream' : '*/*'],
    ['Accept-Encoding', 'identity'],
    ['User-Agent', 'Gatehouse'],
  ];
}

export function prepareRequest(
  request: WireRequest,
  access: GatewayAccess,
  redactor: Redactor,
): { prepared: PreparedRequest; problem: AppError | null } {
  const { method, accepts = 'json', defaultHeaders = [] } = request;
  const url = addQuery(request.url, access.query);
  const keyHeader = getKeyHeader(access);
  const body = typeof request.body === 'string' ? Buffer.from(request.body, 'utf8') : null;
  const form =
    request.body === null || typeof request.body === 'string'
      ? null
      : createMultipartForm(request.body, createBoundary());
  const sizeBytes = form?.contentLength ?? body?.byteLength ?? 0;
  const reserved = new Set(form ? [...RESERVED, 'content-type'] : RESERVED);
  reserved.add(access.keyHeader.name.toLowerCase());
  const given = request.headers.filter(([name]) => !reserved.has(name.toLowerCase()));
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const added = access.headers.filter(({ name }) => !named.has(name.toLowerCase()));
  for (const { name } of added) named.add(name.toLowerCase());
  const headers: HeaderList = [
    ...[...createDefaultHeaders(accepts), ...defaultHeaders].filter(
      ([name]) => !named.has(name.toLowerCase()),
    ),
    ...given,
    ...(form ? [['Content-Type', form.contentType] satisfies HeaderList[number]] : []),
  ];
  const own = keyHeader === null ? added : [...added, keyHeader];
  // undici adds these headers with this capitalization and in this order.
  const before: HeaderList = [
    ['host', request.url.host],
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
      url: url.sent,
      // undici can't determine the length of a stream.
      headers: [...headers, ...own.map(toHeader), ...(form ? after : [])].flat(),
      body,
      form,
      sizeBytes,
      shown: {
        method,
        url: redactor.text(url.shown.href),
        headers: shownHeaders.toSpliced(at, 0, ...own.map(toShownHeader)),
        body: text === null ? null : redactor.text(text),
      },
    },
    problem: findKeyError(access) ?? findHeaderError([...headers, ...added.map(toHeader)]),
  };
}

/** Users can't set these headers, which come from the connection's key and undici. */
const RESERVED = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
];

function createBoundary(): string {
  return `----GatehouseForm${randomBytes(12).toString('hex')}`;
}

const toHeader = ({ name, value }: AddedPair): HeaderList[number] => [name, value];
const toShownHeader = ({ name, shown }: AddedPair): HeaderList[number] => [name, shown];

function findKeyError({ key, keyHeader }: GatewayAccess): AppError | null {
  if (key === null || isBasic(keyHeader) || SENDABLE_KEY.test(key)) return null;
  return appError(
    'invalid-request',
    'The API key contains an invalid character, such as a line break, space or accented letter.',
    'Copy just the key and enter it again in Settings.',
  );
}

function findHeaderError(headers: HeaderList): AppError | null {
  const wrong = headers.find(
    ([name, value]) => !HEADER_NAME.test(name) || !HEADER_VALUE.test(value),
  );
  if (!wrong) return null;
  return appError(
    'invalid-request',
    `The header ${JSON.stringify(wrong[0])} contains an invalid character.`,
    'Fix the header and retry.',
  );
}
