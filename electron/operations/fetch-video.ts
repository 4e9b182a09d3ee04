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

export async function fetchVideo(
  context: RunContext,
  { url }: VideoState,
  poll: FinishedExchange,
): Promise<Ending> {
  if (url === null) return { status: 'failed', error: noAddress, timings: poll.timings };
  let download = await context.download(url, null);
  for (let attempt = 1; attempt < ATTEMPTS && isBroken(download); attempt += 1) {
    await context.pause(PAUSE_MS * attempt);
    if (context.signal.aborted) break;
    download = await context.download(url, download.partial);
  }
  const { media, timings } = download;
  if (download.status === 'succeeded') {
    if (media?.kind === 'video') return { status: 'succeeded', timings };
    return { status: 'failed', error: notAVideo(media), timings };
  }
  if (download.status === 'cancelled') return download;
  const error = { ...download.error, ...explainDownload(download.error) };
  return { status: 'failed', error, timings };
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
function explainDownload({ kind, message }: AppError): Pick<AppError, 'message' | 'nextStep'> {
  const gone = kind === 'not-found' || kind === 'forbidden' || kind === 'unauthorized';
  return {
    message: gone
      ? `The video is finished, but the download link has expired: ${message}`
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
