/** Reads a request of the Images API: the inverse of `encode.ts`. */
import type { JsonObject, JsonValue } from '../../../json.ts';

/** Writes a single image under `image`, and several under `image[]`. */
export function normalizeImages(body: JsonObject): JsonObject {
  const { image, 'image[]': several, ...rest } = body;
  const images = listImages(image, several);
  if (images.length === 0) return body;
  const [first = null] = images;
  return { ...rest, ...(images.length === 1 ? { image: first } : { 'image[]': images }) };
}

/** Moves the images, which are `media:` references or data URLs, into the turn. */
export function decodeImages({ prompt, image, ...body }: JsonObject): JsonObject {
  const { 'image[]': several, ...fields } = body;
  const text = prompt === undefined || prompt === '' ? [] : [{ text: prompt }];
  const parts = [...listImages(image, several).map(toPart), ...text];
  return { ...fields, contents: [{ role: 'user', parts }] };
}

function listImages(...values: readonly (JsonValue | undefined)[]): JsonValue[] {
  return values.flatMap((value) => value ?? []);
}

const DATA_URL = /^data:([^;,]+)[^,]*;base64,(.*)$/s;

function toPart(image: JsonValue): JsonObject {
  const [, mimeType, data] = typeof image === 'string' ? (DATA_URL.exec(image) ?? []) : [];
  return { inlineData: mimeType === undefined ? { data: image } : { mimeType, data: data ?? '' } };
}
