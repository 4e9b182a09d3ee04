/** Fetches a finished video into the media store, resuming a broken download. */
import { type AppError, appError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import type { Ending } from '../runs/ending.ts';
import type { FinishedExchange, RunContext } from '../runs/run-context.ts';

/** A broken download is resumed this often; it is a GET and costs nothing twice. */
const ATTEMPTS = 4;
const PAUSE_MS = 1000;

/** Only a task can be asked for a new link. */
const TASK_STEPS = {
  look: 'Open the inspector to see the response, then follow the task again.',
  renew: 'Follow the task again to get a new link.',
};
const LINK_STEPS = {
  look: 'Open the inspector to see the response.',
  renew: 'Open the inspector to copy the link, or run it again for a new video.',
};
type NextSteps = typeof TASK_STEPS;

/** `missing`: the file may appear a moment later, at this link or at another one. */
type FetchedVideo = { kind: 'ended' | 'missing'; ending: Ending };

export async function fetchVideo(
  context: RunContext,
  { url, media: known, taskId }: VideoState,
  { timings }: FinishedExchange,
): Promise<FetchedVideo> {
  const steps = taskId === null ? LINK_STEPS : TASK_STEPS;
  if (url !== null) return download(context, url, steps);
  // It was part of the reply.
  if (known.some(isVideo)) return { kind: 'ended', ending: { status: 'succeeded', timings } };
  return { kind: 'missing', ending: { status: 'failed', error: noAddress(steps), timings } };
}

/** Of a video without a task: nothing but its link is known. */
export function fetchLink(context: RunContext, url: string): Promise<FetchedVideo> {
  return download(context, url, LINK_STEPS);
}

async function download(context: RunContext, url: string, steps: NextSteps): Promise<FetchedVideo> {
  let got = await context.download(url, null);
  for (let attempt = 1; attempt < ATTEMPTS && isBroken(got); attempt += 1) {
    await context.pause(PAUSE_MS * attempt);
    if (context.signal.aborted) break;
    got = await context.download(url, got.partial);
  }
  if (got.status === 'cancelled') return { kind: 'ended', ending: got };
  const { media } = got;
  if (got.status === 'succeeded') {
    if (media !== null && isVideo(media)) return { kind: 'ended', ending: got };
    const ending = { ...got, status: 'failed', error: notAVideo(media, steps) } as const;
    return { kind: 'ended', ending };
  }
  const host = URL.parse(url)?.host ?? null;
  return {
    kind: mayAppear(got.error) ? 'missing' : 'ended',
    ending: { ...got, error: { ...got.error, ...explainDownload(got.error, host, steps) } },
  };
}

function isVideo({ kind, complete }: Media): boolean {
  return kind === 'video' && complete;
}

/** A storage host that may not list its files answers 403 for one that is not there. */
function mayAppear({ gateway }: AppError): boolean {
  const status = gateway?.status ?? 0;
  return [403, 404, 409, 425].includes(status) || status >= 500;
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

function notAVideo(media: Media | null, { look }: NextSteps): AppError {
  const received = media === null ? 'nothing' : `a file of type ${media.type}`;
  return appError(
    'malformed-response',
    `The video is finished, but its link returned ${received} instead of a video.`,
    look,
    {},
  );
}

/** The video was made and billed: what failed is only the download, and the error says so. */
function explainDownload(
  { kind, message, gateway }: AppError,
  host: string | null,
  { look, renew }: NextSteps,
): Pick<AppError, 'message' | 'nextStep'> {
  const gone = kind === 'not-found' || kind === 'forbidden' || kind === 'unauthorized';
  // What a storage host refuses says nothing about the key or the model.
  const reason = host === null ? message : `${host} returned HTTP status ${gateway?.status}.`;
  return {
    message: gone
      ? `The video is finished, but the download link has expired: ${reason}`
      : `The video is finished, but it could not be downloaded: ${message}`,
    nextStep: kind === 'malformed-response' ? look : renew,
  };
}

function noAddress({ look }: NextSteps): AppError {
  return appError(
    'malformed-response',
    'The gateway says the video is finished but returned no link.',
    look,
    {},
  );
}
