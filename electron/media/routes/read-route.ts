/** Serves `GET /media/<id>`, in full or as a range, even while the file grows. */
import { appError, UserFacingError } from '../../../shared/errors.ts';
import { type Media, parseWavShape } from '../../../shared/media.ts';
import { createWavHeader } from '../../../shared/wav.ts';
import { formatContentDisposition } from '../media-name.ts';
import type { MediaStore } from '../media-store.ts';
import type { GrowingFile } from '../media-writer.ts';
import { isRawPcm, SNIFF_BYTES } from '../sniff.ts';
import {
  type ByteRange,
  parseRange,
  prependToStream,
  streamFile,
  streamGrowingFile,
} from './byte-stream.ts';
import {
  createEmptyResponse,
  type MediaRequest,
  type MediaResponse,
  mediaHeaders,
} from './response.ts';

/** Enough bytes to detect the content type, except for raw audio. */
const SNIFFED_BYTES = 16;

/** A file with an optional prepended header, which players need for raw samples. */
interface Source {
  media: Media;
  header: Uint8Array;
  etag: string;
}

export async function readMedia(
  store: MediaStore,
  id: string,
  request: MediaRequest,
  query: URLSearchParams,
): Promise<MediaResponse> {
  const wav = query.get('wav') ?? '';
  const wavShape = parseWavShape(wav);
  const needed = wavShape === null ? SNIFFED_BYTES : SNIFF_BYTES;
  const file = store.writer(id)?.file;
  while (file?.state === 'growing' && file.sizeBytes < needed) await file.waitForChange();
  const media = store.get(id);
  if (media === null) throw new UserFacingError(gone);

  const read = media.complete ? readComplete : readGrowing;
  if (wavShape !== null && isRawPcm(media.type)) {
    const header = createWavHeader(wavShape, media.complete ? media.sizeBytes : null);
    const headers = { ...mediaHeaders, 'content-type': 'audio/wav' };
    return read(store, { media, header, etag: `"${id}-${wav}"` }, request, headers);
  }
  const isDownload = query.has('download') || media.kind === 'file';
  return read(store, { media, header: new Uint8Array(), etag: `"${id}"` }, request, {
    ...mediaHeaders,
    'content-type': /^text\/|json$/.test(media.type) ? `${media.type}; charset=utf-8` : media.type,
    // A file of kind `file` could open as a document, so it is always downloaded.
    ...(isDownload && {
      'content-disposition': formatContentDisposition({
        ...media,
        name: query.get('download') || media.name,
      }),
    }),
  });
}

/** Stands in for an unknown last byte, because a range must have an end (RFC 8673). */
const LAST_TO_COME = Number.MAX_SAFE_INTEGER;

/** Streams until the file is complete, or until the end of a bounded range. */
async function readGrowing(
  store: MediaStore,
  { media: { id }, header }: Source,
  request: MediaRequest,
  headers: Record<string, string>,
): Promise<MediaResponse> {
  const file = store.writer(id)?.file;
  if (file === undefined) throw new UserFacingError(gone);
  const release = file.retain();
  try {
    const isHead = request.method === 'HEAD';
    const range = isHead ? null : await answerGrowingRange(file, header.length, request);
    if (range === 'none') {
      const sizeBytes = header.length + file.sizeBytes;
      return createEmptyResponse(416, { 'content-range': `bytes */${sizeBytes}` });
    }
    const whole = { first: 0, last: Number.POSITIVE_INFINITY };
    const body = () =>
      prependHeader(header, range ?? whole, (rest) => streamGrowingFile(file, rest));
    const isOpen = range?.last === Number.POSITIVE_INFINITY;
    return {
      status: range === null ? 200 : 206,
      headers: {
        ...headers,
        'cache-control': 'no-store',
        ...(range !== null && {
          ...(!isOpen && { 'content-length': String(range.last + 1 - range.first) }),
          'content-range': `bytes ${range.first}-${isOpen ? LAST_TO_COME : range.last}/*`,
        }),
      },
      body: isHead ? null : await body(),
    };
  } finally {
    release();
  }
}

/** Returns null for the whole file; waits until the first requested byte is available. */
async function answerGrowingRange(
  file: GrowingFile,
  headerBytes: number,
  request: MediaRequest,
): Promise<ByteRange | 'none' | null> {
  const wanted = request.header('if-range') === null ? request.header('range') : null;
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(wanted ?? '') ?? [];
  const first = Number(from ?? 0);
  if (first === 0) return null;
  while (file.state === 'growing' && headerBytes + file.sizeBytes <= first)
    await file.waitForChange();
  const present = parseRange(wanted, headerBytes + file.sizeBytes);
  const isOpen = to === '' && present !== null && present !== 'none';
  return isOpen ? { first, last: Number.POSITIVE_INFINITY } : present;
}

async function readComplete(
  store: MediaStore,
  { media, header, etag }: Source,
  request: MediaRequest,
  headers: Record<string, string>,
): Promise<MediaResponse> {
  const sizeBytes = header.length + media.sizeBytes;
  const validators = { etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' };
  if (request.header('if-none-match') === etag) return createEmptyResponse(304, validators);

  const ifRange = request.header('if-range');
  const wanted = ifRange === null || ifRange === etag ? request.header('range') : null;
  const range = parseRange(wanted, sizeBytes);
  if (range === 'none') {
    return createEmptyResponse(416, {
      'content-range': `bytes */${sizeBytes}`,
      'accept-ranges': 'bytes',
    });
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  const body = () =>
    prependHeader(header, { first, last }, (rest) => streamStored(store.path(media.id), rest));
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      ...validators,
      'content-length': String(last + 1 - first),
      ...(range !== null && { 'content-range': `bytes ${first}-${last}/${sizeBytes}` }),
    },
    body: request.method === 'HEAD' ? null : await body(),
  };
}

type Bytes = ReadableStream<Uint8Array>;

async function prependHeader(
  header: Uint8Array,
  { first, last }: ByteRange,
  rest: (range: ByteRange) => Bytes | Promise<Bytes>,
): Promise<Bytes> {
  const range = { first: Math.max(0, first - header.length), last: last - header.length };
  return prependToStream(header.subarray(first, last + 1), await rest(range));
}

async function streamStored(path: string, range: ByteRange) {
  try {
    return await streamFile(path, range);
  } catch (cause) {
    throw new UserFacingError({ ...gone, detail: String(cause) });
  }
}

const gone = appError('not-found', 'This file is no longer in the library.', 'Add the file again.');
