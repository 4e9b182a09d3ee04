/** Downloads a file by URL, following redirects and resuming interrupted downloads. */
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { HeaderList } from '../../shared/run.ts';
import { withoutCredentials } from '../gateway/access.ts';
import {
  fetchFollowingRedirects,
  findRedirectTarget,
  getHeader,
  type ResponseHead,
} from '../gateway/response-head.ts';
import type { GatewayAccess } from '../gateway/route.ts';
import { resolveEndpoint } from '../gateway/wire-request.ts';
import type { PartialDownload } from '../operations/run-context.ts';
import type { RunOutput } from '../operations/run-media.ts';
import type { RunExchangeRequest, RunExchangeResult } from './run-exchange.ts';

export interface DownloadOptions {
  address: string;
  base: URL;
  access: GatewayAccess;
  partial: PartialDownload | null;
  wanted: string;
  stem: string;
}

export type DownloadResult =
  | { kind: 'response'; result: RunExchangeResult; validator: string | null }
  | { kind: 'refused'; error: AppError };

export async function download(
  options: DownloadOptions,
  send: (request: Omit<RunExchangeRequest, 'exchange'>) => Promise<RunExchangeResult>,
): Promise<DownloadResult> {
  const { base, partial } = options;
  const first = resolveLink(options.address, base);
  if (first === null) return { kind: 'refused', error: notAnAddress };
  /** After a cross-origin redirect, no request has credentials, even back to the first origin. */
  let trusted = first.origin === base.origin;
  const link = URL.canParse(options.address) ? null : options.address;
  const got = await fetchFollowingRedirects<DownloadResult>(first, async (url) => {
    const result = await send({
      wire: {
        method: 'GET',
        url,
        headers: partial ? getRangeHeaders(partial) : [],
        body: null,
        accepts: 'bytes',
        wanted: options.wanted,
        redirects: 'any',
      },
      link: url === first ? link : null,
      access: trusted ? options.access : withoutCredentials(options.access),
      harvest: null,
      convert: null,
      stem: options.stem,
      unmarkedType: null,
      continued: (head) => getContinuedOutput(head, partial),
    });
    const target = result.head && findRedirectTarget(result.head);
    if (target === null || result.outcome.status === 'cancelled') {
      return { kind: 'response', result, validator: getValidator(result.head) };
    }
    const next = readHttpUrl(target, url);
    trusted &&= next?.origin === base.origin;
    return next ?? { kind: 'refused', error: notAnAddress };
  });
  return got instanceof URL ? { kind: 'refused', error: tooManyRedirects } : got;
}

/** Resolves a path without a leading slash under the base URL's path, like an endpoint. */
export function resolveLink(address: string, base: URL): URL | null {
  const root = resolveEndpoint(base.href, '/');
  const isWhole = `/${address}`.startsWith(root.pathname);
  if (!isWhole && VERSIONED.test(address)) {
    return readHttpUrl(resolveEndpoint(base.href, `/${address}`).href, root);
  }
  return readHttpUrl(address, isWhole ? new URL('/', root) : root);
}

/** Matches a path with a version that the base URL may override. */
const VERSIONED = /^v1(?:beta)?\//;

/** Returns null if this is not an HTTP or HTTPS address. */
function readHttpUrl(address: string, from: URL): URL | null {
  const url = URL.parse(address, from.href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // Remove credentials, which wouldn't be sent but would be displayed.
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function getRangeHeaders({ output, validator }: PartialDownload): HeaderList {
  const range: HeaderList = [['Range', `bytes=${output.doneBytes}-`]];
  return validator === null ? range : [...range, ['If-Range', validator]];
}

/** Returns null if the download restarts from the beginning; throws if the range is wrong. */
function getContinuedOutput(head: ResponseHead, partial: PartialDownload | null): RunOutput | null {
  if (partial === null || head.status !== 206) return null;
  const range = /^bytes (\d+)-/i.exec(getHeader(head.headers, 'content-range')?.trim() ?? '');
  if (Number(range?.[1]) === partial.output.doneBytes) return partial.output;
  throw new UserFacingError(wrongRange);
}

/** Returns true if the connection broke after the last byte was received. */
export function isWholeFile(head: ResponseHead, { output }: PartialDownload): boolean {
  const total = /^bytes \*\/(\d+)$/i.exec(getHeader(head.headers, 'content-range')?.trim() ?? '');
  return head.status === 416 && Number(total?.[1]) === output.doneBytes;
}

/** Ignores weak ETags, which don't guarantee identical bytes. */
function getValidator(head: ResponseHead | null): string | null {
  if (head === null) return null;
  const tag = getHeader(head.headers, 'etag');
  if (tag !== null && !tag.trim().startsWith('W/')) return tag.trim();
  return getHeader(head.headers, 'last-modified');
}

const notAnAddress = appError(
  'malformed-response',
  'The gateway returned an invalid link.',
  'Open the inspector to see it.',
);
const wrongRange = appError(
  'malformed-response',
  'Couldn’t resume the download. The gateway sent the wrong part of the file.',
  'Download it again from the start.',
);
const tooManyRedirects = appError(
  'malformed-response',
  'The link redirected too many times.',
  'Open the inspector to see each redirect.',
);
