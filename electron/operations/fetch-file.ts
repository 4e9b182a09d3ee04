/** Downloads a generated file into the media store, resuming interrupted downloads. */
import { type AppError, appError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import type { FinishedExchange, RunContext } from './run-context.ts';
import type { RunResult } from './run-result.ts';

const MAX_ATTEMPTS = 4;
const PAUSE_MS = 1000;

/** Starts a sentence, such as `The video`. */
export type NextSteps = Record<'name' | 'look' | 'renew' | 'again', string>;

interface WantedFile {
  /** Describes the file in error messages, such as `audio` or `a video`. */
  wanted: string;
  stem: string;
  isWanted: (media: Media) => boolean;
  steps: NextSteps;
}

/**
 * `missing` means that the file may become available later, at this link or another; `other` means
 * that the link returned another file type.
 */
export type FetchedFile = { kind: 'ended' | 'missing' | 'other'; ending: RunResult };

/**
 * Retries interrupted downloads; `url` may be a path, and the key is sent only to the gateway's
 * origin.
 */
export async function fetchFile(
  context: RunContext,
  url: string,
  { wanted, stem, isWanted, steps }: WantedFile,
): Promise<FetchedFile> {
  const words = { wanted, stem };
  let got = await context.download(url, null, words);
  for (let attempt = 1; attempt < MAX_ATTEMPTS && isBroken(got); attempt += 1) {
    await context.pause(PAUSE_MS * attempt);
    if (context.signal.aborted) break;
    got = await context.download(url, got.partial, words);
  }
  if (got.status === 'cancelled') return { kind: 'ended', ending: got };
  const { media } = got;
  if (got.status === 'succeeded') {
    // A later process skips links that have already been downloaded.
    if (media !== null) context.record({ kind: 'media', exchange: got.exchange, media, url });
    if (media !== null && isWanted(media)) return { kind: 'ended', ending: got };
    const ending = {
      ...got,
      status: 'failed',
      error: createOtherFileError(media, wanted, steps),
    } as const;
    return { kind: 'other', ending };
  }
  const host = URL.parse(url)?.host ?? null;
  return {
    kind: mayAppear(got.error) ? 'missing' : 'ended',
    ending: {
      ...got,
      error: { ...got.error, ...explainDownload(got.error, host, context.isOwn(url), steps) },
    },
  };
}

/** Some storage hosts return 403 for a missing file, and 429 if they are busy. */
function mayAppear({ gateway }: AppError): boolean {
  const status = gateway?.status ?? 0;
  return [403, 404, 408, 409, 425, 429].includes(status) || status >= 500;
}

function isBroken(download: FinishedExchange): boolean {
  if (download.status === 'succeeded' || download.status === 'cancelled') return false;
  const { kind } = download.error;
  return (
    kind === 'stream-cut' ||
    kind === 'unreachable' ||
    kind === 'outcome-unknown' ||
    kind === 'timeout'
  );
}

function createOtherFileError(
  media: Media | null,
  wanted: string,
  { look, name }: NextSteps,
): AppError {
  const received = media === null ? 'nothing' : `a file of type ${media.type}`;
  return appError(
    'malformed-response',
    `${name} is ready, but its link returned ${received} instead of ${wanted}.`,
    look,
  );
}

/** Returns null if the account isn't the cause. */
export function describeAccountFix({
  kind,
  gateway,
}: Pick<AppError, 'kind' | 'gateway'>): string | null {
  if (kind === 'unauthorized') return 'Add this connection’s API key in Settings';
  if (gateway?.status === 402) return 'Check your account balance with the gateway';
  return null;
}

/** Explains that the file was generated and billed, and only its download failed. */
function explainDownload(
  { kind, message, nextStep, gateway }: AppError,
  host: string | null,
  isOwn: boolean,
  { look, renew, again, name }: NextSteps,
): Pick<AppError, 'message' | 'nextStep'> {
  const failed = `${name} is ready, but the download failed: ${message}`;
  const fix = isOwn ? describeAccountFix({ kind, gateway }) : null;
  if (fix !== null) return { message: failed, nextStep: `${fix}, then ${again}.` };
  const gone = kind === 'not-found' || kind === 'forbidden' || kind === 'unauthorized';
  // Another link would fail with the same disk or proxy error.
  const isOurs = kind === 'file' || gateway?.status === 407;
  // A storage host's error isn't about the key or the model.
  const reason = host === null ? message : `${host} returned HTTP status ${gateway?.status}.`;
  return {
    message: gone ? `${name} is ready, but its download link has expired: ${reason}` : failed,
    nextStep: isOurs ? nextStep : kind === 'malformed-response' ? look : renew,
  };
}
