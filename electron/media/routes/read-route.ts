/** `GET /media/<id>`: a stretch of a complete medium, or all that comes of a growing one. */
import { AppFailure, appError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { wavShapeOf } from '../../../shared/media-reference.ts';
import { wavHeader } from '../../../shared/wav.ts';
import { attachment } from '../media-name.ts';
import type { MediaStore } from '../media-store.ts';
import { isRawSound, SNIFF_BYTES } from '../sniff.ts';
import { parseRange, streamBehind, streamFile, streamGrowing } from './byte-stream.ts';
import { emptyReply, type MediaReply, type MediaRequest, mediaHeaders } from './reply.ts';

/** Fewer do not show the type, which is part of the reply's head; that a sound is raw shows later. */
const HEAD_BYTES = 16;

export async function readMedia(
  store: MediaStore,
  id: string,
  request: MediaRequest,
  query: URLSearchParams,
): Promise<MediaReply> {
  const wavShape = wavShapeOf(query.get('wav') ?? '');
  const needed = wavShape === null ? HEAD_BYTES : SNIFF_BYTES;
  const file = store.writer(id)?.file;
  while (file?.state === 'growing' && file.sizeBytes < needed) await file.changed();
  const media = store.get(id);
  if (media === null) throw new AppFailure(gone);

  const headOnly = request.method === 'HEAD';
  const stream = () => (headOnly ? null : streamWhole(store, media));
  if (wavShape !== null && isRawSound(media.type)) {
    const header = wavHeader(wavShape, media.complete ? media.sizeBytes : null);
    const samples = await stream();
    return {
      status: 200,
      headers: { ...mediaHeaders, 'content-type': 'audio/wav', 'cache-control': 'no-store' },
      body: samples && streamBehind(header, samples),
    };
  }
  const saves = query.has('download') || media.kind === 'file';
  const headers = {
    ...mediaHeaders,
    'content-type': /^text\/|json$/.test(media.type) ? `${media.type}; charset=utf-8` : media.type,
    // Nothing but the page's own elements shows what may be a document.
    ...(saves && { 'content-disposition': attachment(media) }),
  };
  if (media.complete) return readComplete(store, media, request, headers);
  return {
    status: 200,
    headers: { ...headers, 'cache-control': 'no-store' },
    body: await stream(),
  };
}

/** From the first byte; of a growing one to the one that will be the last. */
async function streamWhole(store: MediaStore, { id, complete, sizeBytes }: Media) {
  if (complete) return streamStored(store.path(id), 0, sizeBytes - 1);
  const writer = store.writer(id);
  if (writer === null) throw new AppFailure(gone);
  return streamGrowing(writer.file);
}

async function readComplete(
  store: MediaStore,
  { id, sizeBytes }: Media,
  request: MediaRequest,
  headers: Record<string, string>,
): Promise<MediaReply> {
  const etag = `"${id}"`;
  const validators = { etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' };
  if (request.header('if-none-match') === etag) return emptyReply(304, validators);

  const ifRange = request.header('if-range');
  const wanted = ifRange === null || ifRange === etag ? request.header('range') : null;
  const range = parseRange(wanted, sizeBytes);
  if (range === 'none') {
    return emptyReply(416, { 'content-range': `bytes */${sizeBytes}`, 'accept-ranges': 'bytes' });
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      ...validators,
      'content-length': String(last + 1 - first),
      ...(range !== null && { 'content-range': `bytes ${first}-${last}/${sizeBytes}` }),
    },
    body: request.method === 'HEAD' ? null : await streamStored(store.path(id), first, last),
  };
}

async function streamStored(path: string, first: number, last: number) {
  try {
    return await streamFile(path, { first, last });
  } catch (cause) {
    throw new AppFailure({ ...gone, detail: String(cause) });
  }
}

const gone = appError(
  'not-found',
  'This file is no longer in the library.',
  'Add the file again.',
  {},
);
