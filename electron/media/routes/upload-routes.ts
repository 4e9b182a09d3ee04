/** How the page hands a file to main: begin, slices in order, finish; or give it up. */
import { appError, UserFacingError } from '../../../shared/errors.ts';
import { OffsetMismatchError } from '../growing-file.ts';
import type { MediaStore } from '../media-store.ts';
import type { MediaWriter } from '../media-writer.ts';
import { emptyReply, jsonReply, type MediaReply, type MediaRequest } from './reply.ts';

const MAX_SLICE_BYTES = 4 * 1024 * 1024;

export function beginUpload(store: MediaStore, query: URLSearchParams): MediaReply {
  const size = query.get('size');
  const { id } = store.begin({
    name: query.get('name')?.slice(0, 255) || null,
    declaredType: query.get('type')?.slice(0, 255) || null,
    role: query.get('role') === 'recording' ? 'recording' : 'upload',
    sizeBytes: size !== null && /^\d{1,15}$/.test(size) ? Number(size) : null,
  });
  return jsonReply(201, { id });
}

/** A slice that arrived although its reply was lost is answered 409 with the offset to continue from. */
export async function writeSlice(
  store: MediaStore,
  id: string,
  request: MediaRequest,
  query: URLSearchParams,
): Promise<MediaReply> {
  const writer = pageWriter(store, id);
  if (writer === null) throw new UserFacingError(notGrowing);
  const offset = query.get('offset');
  if (offset === null || !/^\d{1,15}$/.test(offset)) throw new UserFacingError(noOffset);
  // Read whole first: of a slice that is cut off nothing is kept.
  const bytes = await request.body(MAX_SLICE_BYTES);
  try {
    await writer.write(bytes, Number(offset));
  } catch (cause) {
    if (cause instanceof OffsetMismatchError) return jsonReply(409, { expected: cause.expected });
    throw cause;
  }
  return emptyReply(204);
}

/** Also answers for one that is complete: the first answer may have been lost. */
export async function finishUpload(store: MediaStore, id: string): Promise<MediaReply> {
  const writer = pageWriter(store, id);
  if (writer !== null) return jsonReply(200, await writer.finish());
  const media = store.get(id);
  if (!media?.complete) throw new UserFacingError(notGrowing);
  return jsonReply(200, media);
}

export async function abortUpload(store: MediaStore, id: string): Promise<MediaReply> {
  await pageWriter(store, id)?.abort();
  return emptyReply(204);
}

/** What a run produces is not the page's to write. */
function pageWriter(store: MediaStore, id: string): MediaWriter | null {
  const writer = store.writer(id);
  return writer?.role === 'output' ? null : writer;
}

const notGrowing = appError(
  'not-found',
  'This upload is no longer active.',
  'Add the file again. An interrupted recording is in the library.',
  {},
);
const noOffset = appError(
  'invalid-request',
  'Part of a file was sent without its offset.',
  'Add the file again.',
  { fields: [] },
);
