/** Puts the bytes of media into a request where it refers to them, and says what to show instead. */
import type { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { mediaReference, referencedMedia } from '../../shared/media-reference.ts';
import { replaceMedia } from '../../shared/operations/form/media-places.ts';
import { nameByContent } from '../media/media-name.ts';
import type { MediaStore } from '../media/media-store.ts';

export interface InlinedRequest {
  /** As it is sent. */
  sent: JsonObject;
  /** With `<base64 of photo.png, 1.2 MB, media:ID>` in place of each file; null if there is none. */
  shown: JsonObject | null;
}

/** Base64 must fit into one JavaScript string, with room for the rest. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Only references at places that `schema` marks count. Throws a `UserFacingError` of kind `file` for a medium
 * that is gone, still arriving, or too large.
 */
export async function inlineMedia(
  schema: z.ZodObject,
  request: JsonObject,
  store: Pick<MediaStore, 'get' | 'readBytes' | 'isOutput'>,
): Promise<InlinedRequest> {
  const found = new Map<string, Media>();
  replaceMedia(schema, request, (id) => {
    found.set(id, requireMedia(store, id));
    return '';
  });
  if (found.size === 0) return { sent: request, shown: null };

  const total = [...found.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > MAX_BYTES) throw new UserFacingError(tooLarge(total));
  const encoded = new Map<string, string>();
  for (const id of found.keys()) {
    encoded.set(id, (await store.readBytes(id)).toString('base64'));
  }
  const named = withWireNames(request, store);
  const fill = (contentOf: (media: Media) => string) =>
    replaceMedia(schema, named, (id, form) => {
      const media = requireMedia(store, id);
      const content = contentOf(media);
      return form === 'base64' ? content : `data:${wireType(media)};base64,${content}`;
    });
  return { sent: fill(({ id }) => encoded.get(id) ?? ''), shown: fill(describeMedia) };
}

/** Throws a `UserFacingError` of kind `file` if the medium is missing or incomplete. */
export function requireMedia(store: Pick<MediaStore, 'get'>, id: string): Media {
  const media = store.get(id);
  if (media?.complete) return media;
  throw new UserFacingError(media ? stillArriving(media) : gone(id));
}

/** A file of a chat message says its name beside its content. One that an answer brought keeps the name it came with. */
function withWireNames(
  object: JsonObject,
  store: Pick<MediaStore, 'get' | 'isOutput'>,
  ofAnswer = false,
): JsonObject {
  const inAnswer = ofAnswer || object.role === 'assistant';
  const rename = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(rename);
    return isJsonObject(value) ? withWireNames(value, store, inAnswer) : value;
  };
  const named = Object.fromEntries(Object.entries(object).map(([name, of]) => [name, rename(of)]));
  const id = typeof object.file_data === 'string' ? referencedMedia(object.file_data) : null;
  if (id === null || !store.isOutput(id)) return named;
  const media = requireMedia(store, id);
  const isGiven = typeof object.filename === 'string' && object.filename !== media.name;
  return ofAnswer && isGiven ? named : { ...named, filename: wireName(media, store) };
}

/** Gateways detect an audio format by the file extension. An output's own name holds the prompt, which is not theirs. */
export function wireName(media: Media, store: Pick<MediaStore, 'isOutput'>): string {
  const { id, kind, name } = media;
  if (name !== null && !store.isOutput(id)) return name;
  return nameByContent(kind, new Uint8Array(), wireType(media));
}

/** The type that is sent: by the bytes; as declared by the file's sender where they show none, or only that it is text. */
export function wireType({ type, declaredType }: Media): string {
  const declared = declaredType?.split(';')[0]?.trim() ?? '';
  if (type === 'text/plain') return /^text\/[\w.+-]+$/i.test(declared) ? declared : type;
  return type === 'application/octet-stream' && declared !== '' ? declared : type;
}

function describeMedia({ id, name, sizeBytes }: Media): string {
  return `<base64 of ${name ?? 'a file'}, ${sizeText(sizeBytes)}, ${mediaReference(id)}>`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function gone(id: string) {
  return appError(
    'file',
    `A file in this request is no longer in the library (${mediaReference(id)}).`,
    'Add the file again.',
    {},
  );
}

function stillArriving({ name }: Media) {
  const which = name === null ? 'A file in this request' : `The file “${name}”`;
  return appError('file', `${which} is incomplete.`, 'Wait for it to finish, then run again.', {});
}

function tooLarge(bytes: number) {
  return appError(
    'file',
    `The files in this request total ${sizeText(bytes)}. A JSON body can carry at most 268 MB.`,
    'Use smaller files, or URLs instead.',
    {},
  );
}
