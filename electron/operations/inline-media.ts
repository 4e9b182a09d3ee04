/** Puts the bytes of media into a JSON body where it refers to them, and says what to show instead. */
import { AppFailure, appError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { mediaReference, referencedMedia } from '../../shared/media-reference.ts';
import type { MediaStore } from '../media/media-store.ts';

export interface InlinedBody {
  /** As it is sent. */
  body: string;
  /** With `<base64 of photo.png, 1.2 MB, media:ID>` in place of each file; null where there is none. */
  shownBody: string | null;
}

type Form = 'base64' | 'data-url';
type Place = (parent: string, key: string) => Form | null;

/** Base64 must fit into one JavaScript string, with room for the rest. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Throws an `AppFailure` of kind `file` for a medium that is gone, still arriving, or too large. */
export async function inlineMedia(
  body: JsonObject,
  store: Pick<MediaStore, 'get' | 'readBytes'>,
): Promise<InlinedBody> {
  const found = new Map<string, Media>();
  replace(body, (id) => {
    found.set(id, requireMedia(store, id));
    return '';
  });
  if (found.size === 0) return { body: JSON.stringify(body), shownBody: null };

  const total = [...found.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > MOST_BYTES) throw new AppFailure(tooLarge(total));
  const encoded = new Map<string, string>();
  for (const id of found.keys()) {
    encoded.set(id, (await store.readBytes(id)).toString('base64'));
  }
  const fill = (contentOf: (media: Media) => string) =>
    JSON.stringify(
      replace(body, (id, form) => {
        const media = requireMedia(store, id);
        const content = contentOf(media);
        return form === 'base64' ? content : `data:${wireType(media)};base64,${content}`;
      }),
    );
  return {
    body: fill(({ id }) => encoded.get(id) ?? ''),
    shownBody: fill(describeMedia),
  };
}

/** Throws an `AppFailure` of kind `file` where the medium is gone or not yet complete. */
export function requireMedia(store: Pick<MediaStore, 'get'>, id: string): Media {
  const media = store.get(id);
  if (media?.complete) return media;
  throw new AppFailure(media ? stillArriving(media) : gone(id));
}

/** What the gateway is told: by the bytes, else what the file's sender said. */
export function wireType({ type, declaredType }: Media): string {
  if (type !== 'application/octet-stream' || declaredType === null) return type;
  return declaredType.split(';')[0]?.trim() || type;
}

/** Where bytes belong; anywhere else a reference is only text. */
const placeOf: Place = (parent, key) => {
  switch (parent) {
    case 'image_url':
    case 'video_url':
      return key === 'url' ? 'data-url' : null;
    case 'file':
      return key === 'file_data' ? 'data-url' : null;
    case 'input_audio':
    case 'inlineData':
    case 'inline_data':
      return key === 'data' ? 'base64' : null;
    case '':
      // The image of a video, under whatever name it is sent.
      return key === 'prompt' ? null : 'data-url';
    default:
      return null;
  }
};

function replace(body: JsonObject, content: (id: string, form: Form) => string): JsonValue {
  function walk(value: JsonValue, parent: string, key: string): JsonValue {
    if (typeof value === 'string') {
      const id = referencedMedia(value);
      const form = id === null ? null : placeOf(parent, key);
      return id === null || form === null ? value : content(id, form);
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, 'list', 'list'));
    if (!isJsonObject(value)) return value;
    return fields(value, key);
  }
  function fields(value: JsonObject, name: string): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, walk(item, name, key)]),
    );
  }
  return fields(body, '');
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
    `A file of this request is no longer stored in Gatehouse (${mediaReference(id)}).`,
    'Add the file again.',
    {},
  );
}

function stillArriving({ name }: Media) {
  const which = name === null ? 'A file of this request' : `The file “${name}”`;
  return appError('file', `${which} is not complete yet.`, 'Wait until it is, then run again.', {});
}

function tooLarge(bytes: number) {
  return appError(
    'file',
    `The files of this request have ${sizeText(bytes)}; inside a JSON body at most 268 MB can be sent.`,
    'Use smaller files, or give their addresses instead.',
    {},
  );
}
