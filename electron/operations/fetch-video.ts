/** Downloads finished videos into the media store, and resumes broken downloads. */
import { type AppError, appError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { findMessage, reasonText } from '../../shared/operations/response/response-reason.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import { taskLayers } from '../../shared/operations/video/task-envelope.ts';
import type { Timings } from '../../shared/run.ts';
import type { RunResult } from '../runs/ending.ts';
import type { FinishedExchange, RunContext } from '../runs/run-context.ts';

const MAX_ATTEMPTS = 4;
const PAUSE_MS = 1000;

const TASK_STEPS = {
  look: 'Open the inspector to see the response, then follow the task again.',
  renew: 'Follow the task again to get a new link.',
  again: 'follow the task again',
};
const LINK_STEPS = {
  look: 'Open the inspector to see the response.',
  renew: 'Open the inspector to copy the link, or run again to make a new video.',
  again: 'run again to make a new video',
};
type NextSteps = typeof TASK_STEPS & { name: string };

/**
 * `missing` means that the file may appear later, at this link or another one; `unlinked` means
 * that the response had no link.
 */
export type FetchedVideos = { kind: 'ended' | 'missing' | 'unlinked'; ending: RunResult };
/** `other` means that the file is not a video. */
type FetchedFile = { kind: FetchedVideos['kind'] | 'other'; ending: RunResult };

/**
 * Downloads the task's links that are not in `fetched`, or the first of `content` that has a video
 * if there are no links. `timings` come from the last poll.
 */
export async function fetchVideos(
  context: RunContext<'video'>,
  timings: Timings,
  fetched: Set<string>,
  content: readonly string[] = [],
): Promise<FetchedVideos> {
  const { urls, media, taskId } = context.view().state;
  const steps = taskId === null ? LINK_STEPS : TASK_STEPS;
  if (urls.length === 0) {
    // The response contained the video.
    if (media.some(isVideo)) return { kind: 'ended', ending: { status: 'succeeded', timings } };
    return fetchContent(context, timings, content);
  }
  let ending: RunResult | null = null;
  let rejected: RunResult | null = null;
  let other: RunResult | null = null;
  for (const [index, url] of urls.entries()) {
    if (wasFetched(url, urls, fetched)) continue;
    const name = urls.length === 1 ? 'The video' : `Video ${index + 1} of ${urls.length}`;
    const got = await download(context, url, { ...steps, name });
    if (got.kind === 'missing') return { kind: 'missing', ending: got.ending };
    if (got.ending.status === 'cancelled') return { kind: 'ended', ending: got.ending };
    if (got.kind === 'other') other ??= got.ending;
    else if (got.ending.status === 'succeeded') ending = got.ending;
    else rejected ??= got.ending;
    if (got.kind === 'other' || got.ending.status === 'succeeded') fetched.add(url);
  }
  // Other links may be cover images.
  if (context.view().state.media.some(isVideo)) ending ??= { status: 'succeeded', timings };
  return { kind: 'ended', ending: rejected ?? ending ?? other ?? { status: 'succeeded', timings } };
}

async function fetchContent(
  context: RunContext<'video'>,
  timings: Timings,
  addresses: readonly string[],
): Promise<FetchedVideos> {
  for (const address of addresses) {
    const { kind, ending } = await download(context, address, { ...TASK_STEPS, name: 'The video' });
    const isFetched = kind === 'ended' && ending.status === 'succeeded';
    if (isFetched || ending.status === 'cancelled') return { kind: 'ended', ending };
  }
  const error = noLinkError(context.view().state);
  return { kind: 'unlinked', ending: { status: 'failed', error, timings } };
}

/** Each poll may sign the same link with another query string. */
function wasFetched(url: string, urls: readonly string[], fetched: ReadonlySet<string>): boolean {
  if (fetched.has(url)) return true;
  const path = removeQuery(url);
  const isOnly = urls.filter((other) => removeQuery(other) === path).length === 1;
  return isOnly && [...fetched].some((known) => removeQuery(known) === path);
}

function removeQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

async function download(context: RunContext, url: string, steps: NextSteps): Promise<FetchedFile> {
  let got = await context.download(url, null);
  for (let attempt = 1; attempt < MAX_ATTEMPTS && isBroken(got); attempt += 1) {
    await context.pause(PAUSE_MS * attempt);
    if (context.signal.aborted) break;
    got = await context.download(url, got.partial);
  }
  if (got.status === 'cancelled') return { kind: 'ended', ending: got };
  const { media } = got;
  if (got.status === 'succeeded') {
    // A later process uses the URL to skip links that were downloaded.
    if (media !== null) context.record({ kind: 'media', exchange: got.exchange, media, url });
    if (media !== null && isVideo(media)) return { kind: 'ended', ending: got };
    const ending = { ...got, status: 'failed', error: notVideoError(media, steps) } as const;
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

function isVideo({ kind, complete }: Media): boolean {
  return kind === 'video' && complete;
}

/** Some storage hosts return 403 for a missing file, and 429 if busy. */
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

function notVideoError(media: Media | null, { look, name }: NextSteps): AppError {
  const received = media === null ? 'nothing' : `a file of type ${media.type}`;
  return appError(
    'malformed-response',
    `${name} is ready, but its link returned ${received} instead of a video.`,
    look,
  );
}

/** Returns null if the account is not the reason. */
export function accountFix({ kind, gateway }: Pick<AppError, 'kind' | 'gateway'>): string | null {
  if (kind === 'unauthorized') return 'Add this connection’s API key in Settings';
  if (gateway?.status === 402) return 'Check your account balance with the gateway';
  return null;
}

/** Explains that only the download failed, after the video was generated and billed. */
function explainDownload(
  { kind, message, nextStep, gateway }: AppError,
  host: string | null,
  isOwn: boolean,
  { look, renew, again, name }: NextSteps,
): Pick<AppError, 'message' | 'nextStep'> {
  const failed = `${name} is ready, but the download failed: ${message}`;
  const fix = isOwn ? accountFix({ kind, gateway }) : null;
  if (fix !== null) return { message: failed, nextStep: `${fix}, then ${again}.` };
  const gone = kind === 'not-found' || kind === 'forbidden' || kind === 'unauthorized';
  // Another link would have the same disk or proxy error.
  const isOurs = kind === 'file' || gateway?.status === 407;
  // A storage host's error is unrelated to the key and the model.
  const reason = host === null ? message : `${host} returned HTTP status ${gateway?.status}.`;
  return {
    message: gone ? `${name} is ready, but its download link has expired: ${reason}` : failed,
    nextStep: isOurs ? nextStep : kind === 'malformed-response' ? look : renew,
  };
}

const MAX_EXCERPT_LENGTH = 4096;

/** The details show the response, because only a person can find the video in it. */
function noLinkError({ taskId, reply }: VideoState): AppError {
  const { look } = taskId === null ? LINK_STEPS : TASK_STEPS;
  const error = isJsonObject(reply) ? findMessage(taskLayers(reply).all) : null;
  const reason = error === null ? '.' : `: ${reasonText(error)}`;
  return appError(
    'malformed-response',
    `The gateway reported a finished video but returned no link${reason}`,
    look,
    {
      gateway: {
        status: null,
        type: null,
        param: null,
        code: error?.code ?? null,
        message: error?.message ?? null,
        requestId: null,
        bodyExcerpt: JSON.stringify(reply).slice(0, MAX_EXCERPT_LENGTH),
      },
    },
  );
}
