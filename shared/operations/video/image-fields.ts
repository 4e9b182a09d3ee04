/** Writes the images of a video request under the names and in the shapes that gateways expect. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { RunInput } from '../../run.ts';
import { renameFields, wireName } from '../rename-fields.ts';

export const VIDEOS = 'videos';
/** `/v1/videos` accepts an uploaded file or an object with a URL. */
export const INPUT_REFERENCE = 'input_reference';

/** The order in which images are sent if they share a name. */
const imageFields = ['image', 'last_frame', 'images'] as const;
type ImageField = (typeof imageFields)[number];

export const joinedImageFields: ReadonlySet<string> = new Set(imageFields);

/** Known aliases of each image field; docs/formats.md lists their sources. */
export const imageFieldNames: Readonly<Record<ImageField, readonly string[]>> = {
  image: ['images', 'first_frame_image', 'first_frame', 'frame_images'],
  last_frame: ['last_frame_image', 'images', 'frame_images'],
  images: ['reference_images', 'input_references'],
};

/** Renames the fields; image fields with the same name are sent as one list. */
export function spellVideoRequest(
  request: JsonObject,
  wireNames: RunInput['wireNames'],
  format: string | null,
): JsonObject {
  const defaults = format === VIDEOS ? getVideosNames(request) : {};
  const body: JsonObject = {};
  const named = new Map<string, { field: ImageField; image: JsonValue }[]>();
  for (const [field, value] of Object.entries(request)) {
    if (!joinedImageFields.has(field))
      Object.assign(body, renameFields({ [field]: value }, wireNames));
  }
  for (const field of imageFields) {
    const name = wireName(field, { ...defaults, ...wireNames });
    for (const image of listImages(request[field])) {
      named.set(name, [...(named.get(name) ?? []), { field, image }]);
    }
  }
  for (const [name, images] of named) {
    const items = images.map(({ field, image }) => shapeImage(name, field, image, format));
    const isList = items.length > 1 || isPlural(name) || images[0]?.field === 'images';
    body[name] = isList ? items : (items[0] ?? null);
  }
  return body;
}

/** `/v1/videos` has one input reference; gateways with a last frame expect both in a list. */
function getVideosNames({ last_frame: last }: JsonObject): RunInput['wireNames'] {
  const hasLast = listImages(last).length > 0;
  return {
    image: hasLast ? 'frame_images' : INPUT_REFERENCE,
    last_frame: 'frame_images',
    images: 'input_references',
  };
}

function listImages(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === '' ? [] : [value];
}

/** Under a plural name, gateways expect a list, even for a single image. */
function isPlural(name: string): boolean {
  return /s(?:\[\])?$/.test(name);
}

/** Two names need content parts: https://openrouter.ai/docs/api_reference/videos */
function shapeImage(
  name: string,
  field: ImageField,
  image: JsonValue,
  format: string | null,
): JsonValue {
  if (name === INPUT_REFERENCE && format === VIDEOS) return { image_url: image };
  const part = { type: 'image_url', image_url: { url: image } };
  if (name === 'input_references') return part;
  if (name !== 'frame_images') return image;
  return { ...part, frame_type: field === 'last_frame' ? 'last_frame' : 'first_frame' };
}

/**
 * Inverse of `spellVideoRequest`; adds known names that `wireNames` lacks. Images under one name
 * fill the frames first, unless the images say where they belong.
 */
export function unspellVideoRequest(
  body: JsonObject,
  wireNames: RunInput['wireNames'],
  format: string | null,
): { request: JsonObject; wireNames: RunInput['wireNames'] } {
  const names = format === VIDEOS ? wireNames : { ...findOtherNames(body), ...wireNames };
  const defaults = format === VIDEOS ? videosNames(body) : {};
  const fieldNames = imageFields.map((field) => ({
    field,
    name: wireName(field, { ...defaults, ...names }),
  }));
  const taken = new Set(fieldNames.map(({ name }) => name));
  const others = Object.entries(body).filter(([name]) => !taken.has(name));
  const inverse = Object.fromEntries(
    Object.entries(names)
      .filter(([field]) => !joinedImageFields.has(field))
      .map(([field, name]) => [name, field]),
  );
  const request = renameFields(Object.fromEntries(others), inverse);
  for (const [name, fields] of Map.groupBy(fieldNames, ({ name }) => name)) {
    const value = body[name];
    if (value === undefined) continue;
    placeImages(
      request,
      listImages(value),
      fields.map(({ field }) => field),
    );
  }
  return { request, wireNames: names };
}

function placeImages(
  request: JsonObject,
  images: readonly JsonValue[],
  fields: readonly ImageField[],
): void {
  const frames = fields.filter((field) => field !== 'images');
  const references: JsonValue[] = [];
  for (const image of images) {
    const url = unshapeImage(image);
    const told =
      isJsonObject(image) && image.frame_type === 'last_frame' ? 'last_frame' : undefined;
    const free = frames.find((field) => request[field] === undefined);
    const field = told !== undefined && frames.includes(told) ? told : free;
    if (field === undefined) references.push(url);
    else request[field] = url;
  }
  if (references.length > 0) request.images = references;
}

/** Returns the URL of an image in any of the shapes. */
function unshapeImage(image: JsonValue): JsonValue {
  if (!isJsonObject(image)) return image;
  const { image_url: url } = image;
  return isJsonObject(url) ? (url.url ?? '') : (url ?? image);
}

function videosNames(body: JsonObject): RunInput['wireNames'] {
  const isFrames = Object.hasOwn(body, 'frame_images');
  return {
    image: isFrames ? 'frame_images' : INPUT_REFERENCE,
    last_frame: 'frame_images',
    images: 'input_references',
  };
}

/** Finds fields that the body has under an alternative name that isn't a field itself. */
function findOtherNames(body: JsonObject): RunInput['wireNames'] {
  const found = imageFields.flatMap((field) => {
    if (Object.hasOwn(body, field)) return [];
    const isOwn = (name: string) => joinedImageFields.has(name);
    const name = imageFieldNames[field].find(
      (other) => Object.hasOwn(body, other) && !isOwn(other),
    );
    return name === undefined ? [] : [[field, name]];
  });
  return Object.fromEntries(found);
}
