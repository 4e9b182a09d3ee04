/** Everything below `/media`, the same in both hosts, for requests that have passed the host's checks. */
import { appError, UserFacingError } from '../../../shared/errors.ts';
import { encodePeaks, MAX_PEAK_PAIRS, toMediaPeaks } from '../../../shared/media-peaks.ts';
import { formatStack } from '../../uncaught-errors.ts';
import type { MediaService } from '../media.ts';
import { readMedia } from './read-route.ts';
import {
  BodyTooLargeError,
  emptyReply,
  errorReply,
  IncompleteUploadError,
  jsonReply,
  type MediaReply,
  type MediaRequest,
} from './reply.ts';
import { abortUpload, beginUpload, finishUpload, writeSlice } from './upload-routes.ts';

export type MediaRoutes = (request: MediaRequest) => Promise<MediaReply>;

/** Not decoded: an id has no letter that needs it, so no path can climb. */
const PATH = /^\/media(?:\/([A-Za-z0-9_-]{22})(?:\/(peaks|finish))?)?$/;
const DEFAULT_POINTS = 2000;

/** In development the page's own modules are served below `/media` too. */
export function isMediaUrl(url: string): boolean {
  return /^\/media(?:[/?]|$)/.test(url) && !/\.(?:tsx?|css)(?:\?|$)/.test(url);
}

export function createMediaRoutes(media: MediaService, log: (line: string) => void): MediaRoutes {
  return async (request) => {
    try {
      return await answer(media, request);
    } catch (cause) {
      if (cause instanceof UserFacingError) return errorReply(cause.error);
      if (cause instanceof BodyTooLargeError) return errorReply(tooLarge);
      if (cause instanceof IncompleteUploadError) return emptyReply(400);
      log(`media: ${formatStack(cause)}`);
      return errorReply(unexpected);
    }
  };
}

async function answer(media: MediaService, request: MediaRequest): Promise<MediaReply> {
  const [path = '', search = ''] = request.url.split('?', 2);
  const query = new URLSearchParams(search);
  const match = PATH.exec(path);
  if (match === null) throw new UserFacingError(nothingHere);
  const [, id, part] = match;

  if (id === undefined) {
    return request.method === 'POST' ? beginUpload(media, query) : notAllowed('POST');
  }
  if (part === 'finish') {
    return request.method === 'POST' ? finishUpload(media, id) : notAllowed('POST');
  }
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (part === 'peaks') {
    if (reads) return readPeaks(media, id, query);
    if (request.method !== 'PUT') return notAllowed('GET, HEAD, PUT');
    await media.keepPeaks(id, await request.body(maxPeakBytes));
    return emptyReply(204);
  }
  if (reads) return readMedia(media, id, request, query);
  if (request.method === 'PUT') return writeSlice(media, id, request, query);
  if (request.method === 'DELETE') return abortUpload(media, id);
  return notAllowed('GET, HEAD, PUT, DELETE');
}

/** 501: this sound is decoded by the page, which then hands the outline in. */
async function readPeaks(
  media: MediaService,
  id: string,
  query: URLSearchParams,
): Promise<MediaReply> {
  const table = await media.peaks(id);
  if (table === null) return emptyReply(501);
  const requested = Number(query.get('points') ?? DEFAULT_POINTS);
  const points = Number.isFinite(requested) ? Math.trunc(requested) : DEFAULT_POINTS;
  return jsonReply(200, toMediaPeaks(table, Math.min(MAX_PEAK_PAIRS, Math.max(1, points))));
}

const maxPeakBytes = encodePeaks({
  durationSeconds: 0,
  pairs: new Int16Array(MAX_PEAK_PAIRS * 2),
}).length;

function notAllowed(allow: string): MediaReply {
  return emptyReply(405, { allow });
}

const nothingHere = appError('not-found', 'Not found.', 'Reload the page.', {});
const tooLarge = appError(
  'invalid-request',
  'The upload is larger than Gatehouse accepts.',
  'Reload the page and try again.',
  { fields: [] },
);
const unexpected = appError(
  'unexpected',
  'Something went wrong inside Gatehouse.',
  'Try again. If it keeps happening, restart Gatehouse.',
  {},
);
