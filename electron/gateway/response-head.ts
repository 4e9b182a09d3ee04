/** Reads response headers and decides which redirects to follow. */
import type { HeaderList } from '../../shared/run.ts';
import { REDACTED } from '../redaction/redactor.ts';
import type { Redirects } from './exchange-types.ts';

export interface ResponseHead {
  status: number;
  headers: HeaderList;
}

export function readHead(status: number, rawHeaders: Buffer[]): ResponseHead {
  const headers: HeaderList = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([decodeHeader(rawHeaders[index]), decodeHeader(rawHeaders[index + 1])]);
  }
  return { status, headers };
}

/** Joins all values of a header field (RFC 9110, 5.3); returns null if the field is missing. */
export function getHeader(headers: HeaderList, name: string): string | null {
  const values = headers
    .filter(([field]) => field.toLowerCase() === name)
    .map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** Returns true if a lost connection can't be distinguished from the end of the body. */
export function endsWithConnection(headers: HeaderList): boolean {
  const chunked = getHeader(headers, 'transfer-encoding')?.toLowerCase().includes('chunked');
  return !chunked && getHeader(headers, 'content-length') === null;
}

/** Decodes UTF-8, or Latin-1 if the bytes are not UTF-8. */
function decodeHeader(bytes: Buffer | undefined): string {
  if (bytes === undefined) return '';
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? bytes.toString('latin1') : text;
}

const MAX_REDIRECTS = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const KEEPS_REQUEST = new Set([307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Returns the raw Location header of a redirect, or null for any other response. */
export function findRedirectTarget({ status, headers }: ResponseHead): string | null {
  return isRedirect(status) ? getHeader(headers, 'location') : null;
}

/**
 * Calls `send` with each redirect target that it resolves to; `isLast` is true after five
 * redirects.
 */
export async function fetchFollowingRedirects<Result>(
  from: URL,
  send: (url: URL, isLast: boolean) => Promise<Result | URL>,
): Promise<Result | URL> {
  let url = from;
  for (let hop = 0; ; hop += 1) {
    const isLast = hop === MAX_REDIRECTS;
    const result = await send(url, isLast);
    if (!(result instanceof URL) || isLast) return result;
    url = result;
  }
}

/**
 * Returns the URL to resend the request to, or null if the response isn't a same-origin redirect.
 */
export function findSameOriginTarget(url: URL, head: ResponseHead): URL | null {
  const target = KEEPS_REQUEST.has(head.status) ? findRedirectTarget(head) : null;
  const next = target === null ? null : URL.parse(target, url.href);
  if (next === null || next.origin !== url.origin || next.username !== '') return null;
  next.hash = '';
  // Remove redacted parameters, which the connection adds again with their values.
  for (const [name, value] of [...next.searchParams]) {
    if (value === REDACTED) next.searchParams.delete(name, value);
  }
  return next.href === url.href ? null : next;
}

export function isFollowed(redirects: Redirects, url: URL, head: ResponseHead): boolean {
  switch (redirects) {
    case 'none':
    case 'spent':
      return false;
    case 'same-origin':
      return findSameOriginTarget(url, head) !== null;
    case 'any':
      return findRedirectTarget(head) !== null;
  }
}

type Sent = { head: ResponseHead | null; outcome: { status: string } };

/** Resolves to the final response; `send` receives `spent` after five redirects. */
export async function followRedirects<Result extends Sent>(
  from: URL,
  redirects: Exclude<Redirects, 'any' | 'spent'>,
  send: (url: URL, redirects: Redirects) => Promise<Result>,
): Promise<Result> {
  const last = await fetchFollowingRedirects<Result>(from, async (url, isLast) => {
    const followed = isLast ? 'spent' : redirects;
    const sent = await send(url, followed);
    const { head, outcome } = sent;
    if (head === null || !isFollowed(followed, url, head)) return sent;
    return (outcome.status === 'succeeded' ? findSameOriginTarget(url, head) : null) ?? sent;
  });
  if (last instanceof URL) throw new Error('A redirect was followed past the limit.');
  return last;
}
