/** Downloads a file by URL, follows redirects, and resumes a broken download. */
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { HeaderList } from '../../shared/run.ts';
import {
  fetchFollowingRedirects,
  headerValue,
  type ResponseHead,
  redirectTarget,
} from '../gateway/response-head.ts';
import { endpointUrl } from '../gateway/wire-request.ts';
import type { RunExchangeRequest, RunExchangeResult } from './run-exchange.ts';
import type { RunOutput } from './run-media.ts';

export interface PartialDownload {
  output: RunOutput;
  /** `If-Range` sends the validator, so that a resumed part is of the same file. */
  validator: string | null;
}

export interface DownloadOptions {
  address: string;
  base: URL;
  key: string | null;
  partial: PartialDownload | null;
  wanted: string;
  stem: string;
}

export type DownloadResult =
  | { kind: 'reply'; result: RunExchangeResult; validator: string | null }
  | { kind: 'refused'; error: AppError };

export async function download(
  options: DownloadOptions,
  send: (request: Omit<RunExchangeRequest, 'exchange'>) => Promise<RunExchangeResult>,
): Promise<DownloadResult> {
  const { base, partial } = options;
  const first = resolveLink(options.address, base);
  if (first === null) return { kind: 'refused', error: notAnAddress };
  /** After a redirect to another origin, no request has the key, even back at the first origin. */
  let trusted = first.origin === base.origin;
  const link = URL.canParse(options.address) ? null : options.address;
  const got = await fetchFollowingRedirects<DownloadResult>(first, async (url) => {
    const result = await send({
      wire: {
        method: 'GET',
        url,
        headers: partial ? rangeHeaders(partial) : [],
        body: null,
        accepts: 'bytes',
        wanted: options.wanted,
        redirects: 'any',
      },
      link: url === first ? link : null,
      key: trusted ? options.key : null,
      harvest: null,
      stem: options.stem,
      unmarkedType: null,
      continued: (head) => continuedBy(head, partial),
    });
    const target = result.head && redirectTarget(result.head);
    if (target === null || result.outcome.status === 'cancelled') {
      return { kind: 'reply', result, validator: getValidator(result.head) };
    }
    const next = httpUrl(target, url);
    trusted &&= next?.origin === base.origin;
    return next ?? { kind: 'refused', error: notAnAddress };
  });
  return got instanceof URL ? { kind: 'refused', error: tooManyRedirects } : got;
}

/** Resolves a path without a slash like an endpoint, below the path of the base URL. */
export function resolveLink(address: string, base: URL): URL | null {
  const root = endpointUrl(base.href, '/');
  const isWhole = `/${address}`.startsWith(root.pathname);
  if (!isWhole && VERSIONED.test(address)) {
    return httpUrl(endpointUrl(base.href, `/${address}`).href, root);
  }
  return httpUrl(address, isWhole ? new URL('/', root) : root);
}

/** Matches a path whose version a base URL may replace. */
const VERSIONED = /^v1(?:beta)?\//;

/** Returns null unless the address is an HTTP address. */
function httpUrl(address: string, from: URL): URL | null {
  const url = URL.parse(address, from.href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // Credentials aren't sent but would be displayed.
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function rangeHeaders({ output, validator }: PartialDownload): HeaderList {
  const range: HeaderList = [['Range', `bytes=${output.doneBytes}-`]];
  return validator === null ? range : [...range, ['If-Range', validator]];
}

/** Returns null for a download from the start, and throws if the server sends a wrong part. */
function continuedBy(head: ResponseHead, partial: PartialDownload | null): RunOutput | null {
  if (partial === null || head.status !== 206) return null;
  const range = /^bytes (\d+)-/i.exec(headerValue(head.headers, 'content-range')?.trim() ?? '');
  if (Number(range?.[1]) === partial.output.doneBytes) return partial.output;
  throw new UserFacingError(wrongRange);
}

/** Returns true if the connection broke after the last byte, so nothing is left to download. */
export function isWholeFile(head: ResponseHead, { output }: PartialDownload): boolean {
  const total = /^bytes \*\/(\d+)$/i.exec(headerValue(head.headers, 'content-range')?.trim() ?? '');
  return head.status === 416 && Number(total?.[1]) === output.doneBytes;
}

/** Ignores a weak ETag, which doesn't guarantee the same bytes. */
function getValidator(head: ResponseHead | null): string | null {
  if (head === null) return null;
  const tag = headerValue(head.headers, 'etag');
  if (tag !== null && !tag.trim().startsWith('W/')) return tag.trim();
  return headerValue(head.headers, 'last-modified');
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
