/** Fetches a finished video into the media store, resuming a broken download. */
import { type AppError, appError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import type { Ending } from '../runs/ending.ts';
import type { FinishedExchange, RunContext } from '../runs/run-context.ts';

/** A broken download is resumed this often; it is a GET and costs nothing twice. */
const ATTEMPTS = 4;
const PAUSE_MS = 1000;
const LOOK_AND_FOLLOW = 'Open the inspector to see the response, then follow the task again.';

/** `missing`: the file may appear a moment later, at this link or at another one. */
type FetchedVideo = { kind: 'ended' | 'missing'; ending: Ending };

export async function fetchVideo(
  context: RunContext,
  { url, media: known }: VideoState,
  { timings }: FinishedExchange,
): Promise<FetchedVideo> {
  if (url === null) {
    // It was part of the reply.
    if (known.some(isVideo)) return { kind: 'ended', ending: { status: 'succeeded', timings } };
    return { kind: 'missing', ending: { status: 'failed', error: noAddress, timings } };
  }
  let download = await context.download(url, null);
  for (let attempt = 1; attempt < ATTEMPTS && isBroken(download); attempt += 1) {
    await context.pause(PAUSE_MS * attempt);
    if (context.signal.aborted) break;
    download = await context.download(url, download.partial);
  }
  if (download.status === 'cancelled') return { kind: 'ended', ending: download };
  const { media } = download;
  if (download.status === 'succeeded') {
    if (media !== null && isVideo(media)) return { kind: 'ended', ending: download };
    const ending = { ...download, status: 'failed', error: notAVideo(media) } as const;
    return { kind: 'ended', ending };
  }
  const host = URL.parse(url)?.host ?? null;
  return {
    kind: mayAppear(download.error) ? 'missing' : 'ended',
    ending: { ...download, error: { ...download.error, ...explainDownload(download.error, host) } },
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

function notAVideo(media: Media | null): AppError {
  const received = media === null ? 'nothing' : `a file of type ${media.type}`;
  return appError(
    'malformed-response',
    `The video is finished, but its link returned ${received} instead of a video.`,
    LOOK_AND_FOLLOW,
    {},
  );
}

/** The task succeeded and was billed: what failed is only the download, and the error says so. */
function explainDownload(
  { kind, message, gateway }: AppError,
  host: string | null,
): Pick<AppError, 'message' | 'nextStep'> {
  const gone = kind === 'not-found' || kind === 'forbidden' || kind === 'unauthorized';
  // What a storage host refuses says nothing about the key or the model.
  const reason = host === null ? message : `${host} returned HTTP status ${gateway?.status}.`;
  return {
    message: gone
      ? `The video is finished, but the download link has expired: ${reason}`
      : `The video is finished, but it could not be downloaded: ${message}`,
    nextStep:
      kind === 'malformed-response' ? LOOK_AND_FOLLOW : 'Follow the task again to get a new link.',
  };
}

const noAddress = appError(
  'malformed-response',
  'The gateway says the video is finished but returned no link.',
  LOOK_AND_FOLLOW,
  {},
);
