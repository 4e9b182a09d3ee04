/** Replaces media references in a request with file contents, and with placeholders for display. */
import type { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { createMediaReference, findReferencedMedia, type Media } from '../../shared/media.ts';
import {
  describeMedia,
  formatSize,
  getWireType,
  writeContent,
} from '../../shared/media-placeholder.ts';
import { replaceFileRefs, replaceMedia } from '../../shared/operations/form/media-places.ts';
import { getNameByContent } from '../media/media-name.ts';
import type { MediaStore } from '../media/media-store.ts';

export interface InlinedRequest {
  sent: JsonObject;
  /** Shows files as `<base64 of photo.png, 1.2 MB, media:ID>`; null if there are no files. */
  shown: JsonObject | null;
}

/** The base64 must fit in one JavaScript string together with the rest of the body. */
const MAX_BYTES = 256 * 1024 * 1024;

type MediaInfo = Pick<MediaStore, 'get' | 'isOutput'>;

/** Reads the files in the fields marked by `schema`; throws a `UserFacingError` of kind `file`. */
export async function inlineMedia(
  schema: z.ZodObject,
  request: JsonObject,
  store: MediaInfo & Pick<MediaStore, 'readBytes'>,
): Promise<InlinedRequest> {
  const shown = showFiles(schema, request, store);
  if (shown === null) return { sent: request, shown };
  const encoded = new Map<string, string>();
  for (const id of findFiles(schema, request, store).keys()) {
    encoded.set(id, (await store.readBytes(id)).toString('base64'));
  }
  const sent = fillFiles(schema, request, store, ({ id }) => encoded.get(id) ?? '');
  return { sent, shown };
}

/**
 * Returns the request with placeholders for its files, which aren't read; null if there are none.
 */
export function showFiles(
  schema: z.ZodObject,
  request: JsonObject,
  store: MediaInfo,
): JsonObject | null {
  const found = findFiles(schema, request, store);
  if (found.size === 0) return null;
  checkSize(found.values());
  return fillFiles(schema, request, store, describeMedia);
}

/** Like `inlineMedia`, but for the extra body fields, where the user marks each file. */
export async function inlineFileRefs(
  extraBody: JsonObject,
  store: MediaInfo & Pick<MediaStore, 'readBytes'>,
): Promise<InlinedRequest> {
  const shown = showFileRefs(extraBody, store);
  if (shown === null) return { sent: extraBody, shown };
  const found = findFileRefs(extraBody, store);
  const encoded = new Map<string, string>();
  for (const id of found.keys()) {
    encoded.set(id, (await store.readBytes(id)).toString('base64'));
  }
  const sent = fillFileRefs(extraBody, store, ({ id }) => encoded.get(id) ?? '');
  return { sent, shown };
}

/** Returns the extra body fields with placeholders for their files; null if there are none. */
export function showFileRefs(
  extraBody: JsonObject,
  store: Pick<MediaStore, 'get'>,
): JsonObject | null {
  const found = findFileRefs(extraBody, store);
  if (found.size === 0) return null;
  checkSize(found.values());
  return fillFileRefs(extraBody, store, describeMedia);
}

function findFileRefs(extraBody: JsonObject, store: Pick<MediaStore, 'get'>): Map<string, Media> {
  const found = new Map<string, Media>();
  replaceFileRefs(extraBody, (id) => {
    found.set(id, requireMedia(store, id));
    return '';
  });
  return found;
}

function fillFileRefs(
  extraBody: JsonObject,
  store: Pick<MediaStore, 'get'>,
  getContent: (media: Media) => string,
): JsonObject {
  return replaceFileRefs(extraBody, (id, form) => {
    const media = requireMedia(store, id);
    return writeContent(media, getContent(media), form);
  });
}

function checkSize(files: Iterable<Media>): void {
  const total = [...files].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > MAX_BYTES) throw new UserFacingError(createTooLargeError(total));
}

function findFiles(
  schema: z.ZodObject,
  request: JsonObject,
  store: Pick<MediaStore, 'get'>,
): Map<string, Media> {
  const found = new Map<string, Media>();
  replaceMedia(schema, request, (id) => {
    found.set(id, requireMedia(store, id));
    return '';
  });
  return found;
}

function fillFiles(
  schema: z.ZodObject,
  request: JsonObject,
  store: MediaInfo,
  getContent: (media: Media) => string,
): JsonObject {
  return replaceMedia(schema, addFileNames(request, store), (id, form) => {
    const media = requireMedia(store, id);
    return writeContent(media, getContent(media), form);
  });
}

/** Throws a `UserFacingError` of kind `file` if the media item is missing or incomplete. */
export function requireMedia(store: Pick<MediaStore, 'get'>, id: string): Media {
  const media = store.get(id);
  if (media?.complete) return media;
  throw new UserFacingError(media ? createIncompleteError(media) : createMissingError(id));
}

/** Adds `filename` next to `file_data` unless a name is already set. */
function addFileNames(
  object: JsonObject,
  store: Pick<MediaStore, 'get' | 'isOutput'>,
  ofAnswer = false,
): JsonObject {
  const inAnswer = ofAnswer || object.role === 'assistant';
  const rename = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(rename);
    return isJsonObject(value) ? addFileNames(value, store, inAnswer) : value;
  };
  const named = Object.fromEntries(Object.entries(object).map(([name, of]) => [name, rename(of)]));
  const id = typeof object.file_data === 'string' ? findReferencedMedia(object.file_data) : null;
  if (id === null || !store.isOutput(id)) return named;
  const media = requireMedia(store, id);
  const isGiven = typeof object.filename === 'string' && object.filename !== media.name;
  return ofAnswer && isGiven ? named : { ...named, filename: getSentFileName(media, store) };
}

/**
 * Gateways detect audio formats by extension, and an output's full name would reveal its prompt.
 */
export function getSentFileName(media: Media, store: Pick<MediaStore, 'isOutput'>): string {
  const { id, kind, name } = media;
  if (name !== null && !store.isOutput(id)) return name;
  return getNameByContent(kind, new Uint8Array(), getWireType(media));
}

function createMissingError(id: string) {
  return appError(
    'file',
    `A file in this request is no longer in the library (${createMediaReference(id)}).`,
    'Add the file again.',
  );
}

function createIncompleteError({ name }: Media) {
  const which = name === null ? 'A file in this request' : `The file “${name}”`;
  return appError('file', `${which} is incomplete.`, 'Wait for it to finish, then retry.');
}

function createTooLargeError(bytes: number) {
  return appError(
    'file',
    `The files in this request total ${formatSize(bytes)}. The limit for a JSON body is 256 MiB.`,
    'Use smaller files, or URLs.',
  );
}
