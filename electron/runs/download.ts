/** Fetches a file by its URL: redirects followed, a broken download resumed where it stopped. */
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { HeaderList } from '../../shared/run.ts';
import { fetchFollowingRedirects, redirectTarget } from '../gateway/redirects.ts';
import { headerValue, type ResponseHead } from '../gateway/response-head.ts';
import type { RunExchangeRequest, RunExchangeResult } from './run-exchange.ts';
import type { RunOutput } from './run-media.ts';

/** What was received before the connection broke. */
export interface PartialDownload {
  output: RunOutput;
  /** For `If-Range`: the file is still the same one. */
  validator: string | null;
}

export interface DownloadOptions {
  /** An address, or a path under `base`. */
  address: string;
  /** The connection's base URL: its key goes to this origin only. */
  base: URL;
  key: string | null;
  partial: PartialDownload | null;
  /** What it is, for messages: `a video`. */
  wanted: string;
  /** What the file is, for a run that says nothing of it. */
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
  const first = httpUrl(options.address, base);
  if (first === null) return { kind: 'refused', error: notAnAddress };
  /** Once the request went to another origin, the key stays out, also if that one points back. */
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

function httpUrl(address: string, base: URL): URL | null {
  const url = URL.parse(address, base.href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // They would be sent nowhere, and shown everywhere.
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function rangeHeaders({ output, validator }: PartialDownload): HeaderList {
  const range: HeaderList = [['Range', `bytes=${output.doneBytes}-`]];
  return validator === null ? range : [...range, ['If-Range', validator]];
}

/** Null if the file comes from its beginning. Throws where neither is so. */
function continuedBy(head: ResponseHead, partial: PartialDownload | null): RunOutput | null {
  if (partial === null || head.status !== 206) return null;
  const range = /^bytes (\d+)-/i.exec(headerValue(head.headers, 'content-range')?.trim() ?? '');
  if (Number(range?.[1]) === partial.output.doneBytes) return partial.output;
  throw new UserFacingError(wrongRange);
}

/** The server has no byte after those that arrived: the connection broke behind the last one. */
export function isWholeFile(head: ResponseHead, { output }: PartialDownload): boolean {
  const total = /^bytes \*\/(\d+)$/i.exec(headerValue(head.headers, 'content-range')?.trim() ?? '');
  return head.status === 416 && Number(total?.[1]) === output.doneBytes;
}

/** A weak ETag does not promise the same bytes. */
function getValidator(head: ResponseHead | null): string | null {
  if (head === null) return null;
  const tag = headerValue(head.headers, 'etag');
  if (tag !== null && !tag.trim().startsWith('W/')) return tag.trim();
  return headerValue(head.headers, 'last-modified');
}

const notAnAddress = appError(
  'malformed-response',
  'The link from the gateway is not a web URL.',
  'Open the inspector to see it.',
  {},
);
const wrongRange = appError(
  'malformed-response',
  'The download could not be resumed: the server sent the wrong part of the file.',
  'Download it again from the start.',
  {},
);
const tooManyRedirects = appError(
  'malformed-response',
  'The link redirected too many times.',
  'Open the inspector to see each redirect.',
  {},
);
