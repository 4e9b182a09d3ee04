/** The request as it goes out, and as it may be shown. */
import type { AppError } from '../../shared/errors.ts';
import { appError } from '../../shared/errors.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { ExchangeObserver, WireRequest } from './exchange-types.ts';
import { REDACTED, type Redactor } from './redactor.ts';

export interface PreparedRequest {
  method: string;
  url: URL;
  /** Names and values in turn, as undici takes them. */
  headers: string[];
  body: Buffer | null;
  /** What the observer is told. */
  shown: Parameters<ExchangeObserver['request']>[0];
}

/** Printable ASCII without the space: what a bearer token can be made of. */
const SENDABLE_KEY = /^[\x21-\x7e]*$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * No compression is asked for: what is shown and timed is what the gateway wrote. (A compressed
 * reply that comes all the same is decoded.)
 */
const OUR_HEADERS: HeaderList = [
  ['Accept', 'application/json, text/event-stream'],
  ['Accept-Encoding', 'identity'],
  ['User-Agent', 'Gatehouse'],
];

export function prepareRequest(
  request: WireRequest,
  key: string | null,
  redactor: Redactor,
): { prepared: PreparedRequest; problem: AppError | null } {
  const { method, url } = request;
  const body = request.body === null ? null : Buffer.from(request.body, 'utf8');
  const given = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const headers: HeaderList = [
    ...OUR_HEADERS.filter(([name]) => !given.has(name.toLowerCase())),
    ...request.headers.filter(([name]) => name.toLowerCase() !== 'authorization'),
  ];
  const authorization = (value: string): HeaderList =>
    key === null ? [] : [['Authorization', `Bearer ${value}`]];
  // undici writes these itself, in this spelling and at these places.
  const before: HeaderList = [
    ['host', url.host],
    ['connection', 'keep-alive'],
  ];
  const after: HeaderList = body ? [['content-length', String(body.byteLength)]] : [];
  const shownHeaders = redactor.headers([...before, ...headers, ...after]);
  const at = before.length + headers.length;
  return {
    prepared: {
      method,
      url,
      headers: [...headers, ...authorization(key ?? '')].flat(),
      body,
      shown: {
        method,
        url: redactor.text(url.href),
        headers: shownHeaders.toSpliced(at, 0, ...authorization(REDACTED)),
        body: request.body === null ? null : redactor.text(request.body),
      },
    },
    problem: keyProblem(key) ?? headerProblem(headers),
  };
}

function keyProblem(key: string | null): AppError | null {
  if (key === null || SENDABLE_KEY.test(key)) return null;
  return appError(
    'invalid-request',
    'The API key holds a character that cannot be sent, such as a line break, a space or an accented letter.',
    'Copy the key again, without anything around it, and set it in Settings.',
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
    `The header ${JSON.stringify(wrong[0])} holds a character that cannot be sent.`,
    'Correct the header and run it again.',
    { fields: [] },
  );
}
