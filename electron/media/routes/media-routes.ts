/** Defines the routes under `/media`, which both hosts share. */
import { appError, UserFacingError } from '../../../shared/errors.ts';
import { encodePeaks, MAX_PEAK_PAIRS, toMediaPeaks } from '../../../shared/media-peaks.ts';
import { formatStack } from '../../base/uncaught-errors.ts';
import type { MediaService } from '../media.ts';
import type { MediaStore } from '../media-store.ts';
import { type MediaWriter, OffsetMismatchError } from '../media-writer.ts';
import { type ByteSource, toStream } from './byte-stream.ts';
import { readMedia } from './read-route.ts';
import {
  BodyTooLargeError,
  createEmptyResponse,
  createErrorResponse,
  createJsonResponse,
  IncompleteUploadError,
  type MediaRequest,
  type MediaResponse,
  mediaHeaders,
} from './response.ts';

export type MediaRoutes = (request: MediaRequest) => Promise<MediaResponse>;

/** A file that is made for one download and isn't a media item, such as a backup. */
export interface FileDownload {
  name: string;
  sizeBytes: number;
  source: ByteSource;
}

interface FileDownloads {
  /** Returns null if the file doesn't exist or was downloaded before. */
  takeDownload(id: string): FileDownload | null;
}

/** IDs contain only URL-safe characters, so a path can't escape the media folder. */
const PATH = /^\/media(?:\/([A-Za-z0-9_-]{22})(?:\/(peaks|finish|backup))?)?$/;
const DEFAULT_POINTS = 2000;

/** In development, the page's own modules are also served under `/media`. */
export function isMediaUrl(url: string): boolean {
  return /^\/media(?:[/?]|$)/.test(url) && !/\.(?:tsx?|css)(?:\?|$)/.test(url);
}

export function createMediaRoutes(
  media: MediaService,
  log: (line: string) => void,
  backups: FileDownloads | null = null,
): MediaRoutes {
  return async (request) => {
    try {
      return await answer(media, backups, request);
    } catch (cause) {
      if (cause instanceof UserFacingError) return createErrorResponse(cause.error);
      if (cause instanceof BodyTooLargeError) return createErrorResponse(tooLarge);
      if (cause instanceof IncompleteUploadError) return createEmptyResponse(400);
      log(`media: ${formatStack(cause)}`);
      return createErrorResponse(unexpected);
    }
  };
}

async function answer(
  media: MediaService,
  backups: FileDownloads | null,
  request: MediaRequest,
): Promise<MediaResponse> {
  const [path = '', search = ''] = request.url.split('?', 2);
  const query = new URLSearchParams(search);
  const match = PATH.exec(path);
  if (match === null) throw new UserFacingError(nothingHere);
  const [, id, part] = match;

  if (id === undefined) {
    return request.method === 'POST' ? handleBeginUpload(media, query) : answerNotAllowed('POST');
  }
  if (part === 'finish') {
    return request.method === 'POST' ? handleFinishUpload(media, id) : answerNotAllowed('POST');
  }
  if (part === 'backup') {
    return request.method === 'GET' ? sendBackup(backups, id) : answerNotAllowed('GET');
  }
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (part === 'peaks') {
    if (reads) return readPeaks(media, id, query);
    if (request.method !== 'PUT') return answerNotAllowed('GET, HEAD, PUT');
    await media.keepPeaks(id, await request.body(maxPeakBytes));
    return createEmptyResponse(204);
  }
  if (reads) return readMedia(media, id, request, query);
  if (request.method === 'PUT') return writeSlice(media, id, request, query);
  if (request.method === 'DELETE') return handleAbortUpload(media, id);
  return answerNotAllowed('GET, HEAD, PUT, DELETE');
}

function sendBackup(backups: FileDownloads | null, id: string): MediaResponse {
  const download = backups?.takeDownload(id) ?? null;
  if (download === null) throw new UserFacingError(nothingHere);
  return {
    status: 200,
    headers: {
      ...mediaHeaders,
      'content-type': 'application/x-tar',
      'content-length': String(download.sizeBytes),
      'content-disposition': `attachment; filename="${download.name}"`,
      'cache-control': 'no-store',
    },
    body: toStream(download.source),
  };
}

/** Status 204 tells the page to decode the audio itself and upload the peaks. */
async function readPeaks(
  media: MediaService,
  id: string,
  query: URLSearchParams,
): Promise<MediaResponse> {
  const table = await media.peaks(id);
  if (table === null) return createEmptyResponse(204);
  const requested = Number(query.get('points') ?? DEFAULT_POINTS);
  const points = Number.isFinite(requested) ? Math.trunc(requested) : DEFAULT_POINTS;
  return createJsonResponse(
    200,
    toMediaPeaks(table, Math.min(MAX_PEAK_PAIRS, Math.max(1, points))),
  );
}

const maxPeakBytes = encodePeaks({
  durationSeconds: 0,
  pairs: new Int16Array(MAX_PEAK_PAIRS * 2),
}).length;

function answerNotAllowed(allow: string): MediaResponse {
  return createEmptyResponse(405, { allow });
}

const nothingHere = appError('not-found', 'Not found.', 'Reload the page.');
const tooLarge = appError(
  'invalid-request',
  'The upload is larger than Gatehouse accepts.',
  'Reload the page and try again.',
);
const unexpected = appError(
  'unexpected',
  'Something went wrong.',
  'Try again. If it keeps happening, restart Gatehouse.',
);

const MAX_SLICE_BYTES = 4 * 1024 * 1024;

export function handleBeginUpload(store: MediaStore, query: URLSearchParams): MediaResponse {
  const size = query.get('size');
  const { id } = store.begin({
    name: query.get('name')?.slice(0, 255) || null,
    declaredType: query.get('type')?.slice(0, 255) || null,
    role: query.get('role') === 'recording' ? 'recording' : 'upload',
    sizeBytes: size !== null && /^\d{1,15}$/.test(size) ? Number(size) : null,
  });
  return createJsonResponse(201, { id });
}

/** Responds with 409 and the expected offset if a slice has already been written. */
export async function writeSlice(
  store: MediaStore,
  id: string,
  request: MediaRequest,
  query: URLSearchParams,
): Promise<MediaResponse> {
  const writer = findPageWriter(store, id);
  if (writer === null) throw new UserFacingError(notGrowing);
  const offset = query.get('offset');
  if (offset === null || !/^\d{1,15}$/.test(offset)) throw new UserFacingError(noOffset);
  // Read the whole slice first, so that nothing is written if it is truncated.
  const bytes = await request.body(MAX_SLICE_BYTES);
  try {
    await writer.write(bytes, Number(offset));
  } catch (cause) {
    if (cause instanceof OffsetMismatchError)
      return createJsonResponse(409, { expected: cause.expected });
    throw cause;
  }
  return createEmptyResponse(204);
}

/** Succeeds if the upload is already complete, because the first response may have been lost. */
export async function handleFinishUpload(store: MediaStore, id: string): Promise<MediaResponse> {
  const writer = findPageWriter(store, id);
  if (writer !== null) return createJsonResponse(200, await writer.finish());
  const media = store.get(id);
  if (!media?.complete) throw new UserFacingError(notGrowing);
  return createJsonResponse(200, media);
}

export async function handleAbortUpload(store: MediaStore, id: string): Promise<MediaResponse> {
  await findPageWriter(store, id)?.abort();
  return createEmptyResponse(204);
}

/** The page must not write to a run's output. */
function findPageWriter(store: MediaStore, id: string): MediaWriter | null {
  const writer = store.writer(id);
  return writer?.role === 'output' ? null : writer;
}

const notGrowing = appError(
  'not-found',
  'This upload is no longer active.',
  'Add the file again. An interrupted recording is in the library.',
);
const noOffset = appError('invalid-request', 'The upload was interrupted.', 'Add the file again.');
