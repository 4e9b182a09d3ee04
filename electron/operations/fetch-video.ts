/** Fetches finished videos into the media store, resuming a broken download. */
import { type AppError, appError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import type { Timings } from '../../shared/run.ts';
import type { RunResult } from '../runs/ending.ts';
import type { FinishedExchange, RunContext } from '../runs/run-context.ts';

/** A broken download is resumed this often; it is a GET and costs nothing twice. */
const ATTEMPTS = 4;
const PAUSE_MS = 1000;

/** Only a task can be asked for a new link. */
const TASK_STEPS = {
  look: 'Open the inspector to see the response, then follow the task again.',
  renew: 'Follow the task again to get a new link.',
  again: 'follow the task again',
};
const LINK_STEPS = {
  look: 'Open the inspector to see the response.',
  renew: 'Open the inspector to copy the link, or run it again for a new video.',
  again: 'run it again for a new video',
};
/** `name`: how an error calls the video. */
type NextSteps = typeof TASK_STEPS & { name: string };

/** `missing`: the file may appear a moment later, at this link or at another one. */
type FetchedVideos = { kind: 'ended' | 'missing'; ending: RunResult };
/** `other`: what came is not a video. */
type FetchedFile = { kind: FetchedVideos['kind'] | 'other'; ending: RunResult };

/**
 * All that the task has, but for those of its links that are in `fetched`, where each that comes is added.
 * `timings` are those of the reply that said so.
 */
export async function fetchVideos(
  context: RunContext<'video'>,
  timings: Timings,
  fetched: Set<string>,
): Promise<FetchedVideos> {
  const { urls, media, taskId } = context.view().state;
  const steps = taskId === null ? LINK_STEPS : TASK_STEPS;
  if (urls.length === 0) {
    // It was part of the reply.
    if (media.some(isVideo)) return { kind: 'ended', ending: { status: 'succeeded', timings } };
    return { kind: 'missing', ending: { status: 'failed', error: noAddress(steps), timings } };
  }
  let ending: RunResult | null = null;
  let refused: RunResult | null = null;
  let other: RunResult | null = null;
  for (const [index, url] of urls.entries()) {
    if (wasFetched(url, urls, fetched)) continue;
    const name = urls.length === 1 ? 'The video' : `Video ${index + 1} of ${urls.length}`;
    const got = await download(context, url, { ...steps, name });
    // Once it has appeared, the others are asked for as well.
    if (got.kind === 'missing') return { kind: 'missing', ending: got.ending };
    if (got.ending.status === 'cancelled') return { kind: 'ended', ending: got.ending };
    if (got.kind === 'other') other ??= got.ending;
    else if (got.ending.status === 'succeeded') ending = got.ending;
    else refused ??= got.ending;
    if (got.kind === 'other' || got.ending.status === 'succeeded') fetched.add(url);
  }
  // A cover picture, say, may stand beside the videos.
  if (context.view().state.media.some(isVideo)) ending ??= { status: 'succeeded', timings };
  return { kind: 'ended', ending: refused ?? ending ?? other ?? { status: 'succeeded', timings } };
}

/** A link that is signed with each poll differs in its query alone. */
function wasFetched(url: string, urls: readonly string[], fetched: ReadonlySet<string>): boolean {
  if (fetched.has(url)) return true;
  const path = withoutQuery(url);
  const isOnly = urls.filter((other) => withoutQuery(other) === path).length === 1;
  return isOnly && [...fetched].some((known) => withoutQuery(known) === path);
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

async function download(context: RunContext, url: string, steps: NextSteps): Promise<FetchedFile> {
  let got = await context.download(url, null);
  for (let attempt = 1; attempt < ATTEMPTS && isBroken(got); attempt += 1) {
    await context.pause(PAUSE_MS * attempt);
    if (context.signal.aborted) break;
    got = await context.download(url, got.partial);
  }
  if (got.status === 'cancelled') return { kind: 'ended', ending: got };
  const { media } = got;
  if (got.status === 'succeeded') {
    // For the process that comes next.
    if (media !== null) context.record({ kind: 'media', exchange: got.exchange, media, url });
    if (media !== null && isVideo(media)) return { kind: 'ended', ending: got };
    const ending = { ...got, status: 'failed', error: notAVideo(media, steps) } as const;
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

/** A storage host that may not list its files answers 403 for one that is not there; one that is busy, 429. */
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

function notAVideo(media: Media | null, { look, name }: NextSteps): AppError {
  const received = media === null ? 'nothing' : `a file of type ${media.type}`;
  return appError(
    'malformed-response',
    `${name} is finished, but its link returned ${received} instead of a video.`,
    look,
    {},
  );
}

/** What the gateway itself refuses for the sake of the account; null if it is something else. */
export function accountFix({ kind, gateway }: Pick<AppError, 'kind' | 'gateway'>): string | null {
  if (kind === 'unauthorized') return 'Set the key of this connection in Settings';
  if (gateway?.status === 402) return 'Check the balance of your account at the gateway';
  return null;
}

/** The video was made and billed: what failed is only the download, and the error says so. */
function explainDownload(
  { kind, message, nextStep, gateway }: AppError,
  host: string | null,
  isOwn: boolean,
  { look, renew, again, name }: NextSteps,
): Pick<AppError, 'message' | 'nextStep'> {
  const failed = `${name} is finished, but it could not be downloaded: ${message}`;
  const fix = isOwn ? accountFix({ kind, gateway }) : null;
  if (fix !== null) return { message: failed, nextStep: `${fix}, then ${again}.` };
  const gone = kind === 'not-found' || kind === 'forbidden' || kind === 'unauthorized';
  // The disk or the proxy: another link would not help.
  const isOurs = kind === 'file' || gateway?.status === 407;
  // What a storage host refuses says nothing about the key or the model.
  const reason = host === null ? message : `${host} returned HTTP status ${gateway?.status}.`;
  return {
    message: gone ? `${name} is finished, but the download link has expired: ${reason}` : failed,
    nextStep: isOurs ? nextStep : kind === 'malformed-response' ? look : renew,
  };
}

function noAddress({ look }: typeof TASK_STEPS): AppError {
  return appError(
    'malformed-response',
    'The gateway says the video is finished but returned no link.',
    look,
    {},
  );
}
