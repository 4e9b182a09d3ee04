/** Writes the images of a video request under the names and in the shapes that gateways expect. */
import type { JsonObject, JsonValue } from '../../json.ts';
import type { RunInput } from '../../run.ts';
import { renameFields, wireName } from '../rename-fields.ts';

/** The order in which images are sent if they share a name. */
const imageFields = ['image', 'last_frame', 'images'] as const;
type ImageField = (typeof imageFields)[number];

export const joinedImageFields: ReadonlySet<string> = new Set(imageFields);

/** Known names of each image field besides its own; docs/formats.md lists their sources. */
export const imageFieldNames: Readonly<Record<ImageField, readonly string[]>> = {
  image: ['images', 'first_frame_image', 'first_frame', 'frame_images'],
  last_frame: ['last_frame_image', 'images', 'frame_images'],
  images: ['reference_images', 'input_references'],
};

/** Renames the fields; image fields with the same name are sent as one list. */
export function spellVideoRequest(
  request: JsonObject,
  wireNames: RunInput['wireNames'],
): JsonObject {
  const body: JsonObject = {};
  const named = new Map<string, { field: ImageField; image: JsonValue }[]>();
  for (const [field, value] of Object.entries(request)) {
    if (!joinedImageFields.has(field))
      Object.assign(body, renameFields({ [field]: value }, wireNames));
  }
  for (const field of imageFields) {
    const name = wireName(field, wireNames);
    for (const image of listImages(request[field])) {
      named.set(name, [...(named.get(name) ?? []), { field, image }]);
    }
  }
  for (const [name, images] of named) {
    const items = images.map(({ field, image }) => shapeImage(name, field, image));
    const isList = items.length > 1 || isPlural(name) || images[0]?.field === 'images';
    body[name] = isList ? items : (items[0] ?? null);
  }
  return body;
}

function listImages(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === '' ? [] : [value];
}

/** Gateways take a list under a plural name, even of a single image. */
function isPlural(name: string): boolean {
  return /s(?:\[\])?$/.test(name);
}

/** These two names stand for content parts: https://openrouter.ai/docs/api_reference/videos */
function shapeImage(name: string, field: ImageField, image: JsonValue): JsonValue {
  const part = { type: 'image_url', image_url: { url: image } };
  if (name === 'input_references') return part;
  if (name !== 'frame_images') return image;
  return { ...part, frame_type: field === 'last_frame' ? 'last_frame' : 'first_frame' };
}
