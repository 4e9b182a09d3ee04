/** Writes the images of a video request under the names and in the shapes that gateways expect. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { RunInput } from '../../run.ts';
import type { BodyStep } from '../field-table.ts';
import { getWireName } from '../rename-fields.ts';

type WireNames = RunInput['wireNames'];

export const VIDEOS = 'videos';
/** `/v1/videos` accepts an uploaded file or an object with a URL. */
export const INPUT_REFERENCE = 'input_reference';

/** The order in which images are sent if they share a name. */
const imageFields = ['image', 'last_frame', 'images'] as const;
type ImageField = (typeof imageFields)[number];

export const joinedImageFields: ReadonlySet<string> = new Set(imageFields);

/**
 * Known aliases of each image field; docs/formats.md lists their sources. A name that ends in `.url`
 * puts each image into an object: `{url}`.
 */
export const imageFieldNames: Readonly<Record<ImageField, readonly string[]>> = {
  image: ['images', 'first_frame_image', 'first_frame', 'frame_images', 'image.url'],
  last_frame: ['last_frame_image', 'images', 'frame_images'],
  images: ['reference_images', 'input_references', 'reference_images.url'],
};

const URL_INSIDE = /\.url$/;

interface ImageStepOptions {
  writes: readonly string[];
  /** Returns the default names that aren't the fields' own. */
  getNames: (hasFrameList: boolean) => WireNames;
  /** Finds names that the body uses and that the user would have to set in the form. */
  findNames: (body: JsonObject) => WireNames;
  /** True if JSON sends the input reference as an object with the URL. */
  wrapsReference: boolean;
  note: string;
}

/** Sends the images under the fields' own names. */
export const generationsImages = createImagesStep({
  writes: imageFields,
  getNames: () => ({}),
  findNames: findOtherNames,
  wrapsReference: false,
  note: '`image`, `last_frame`, `images`, or the names that the user chooses',
});

/** `/v1/videos` has one input reference; gateways with a last frame expect both in a list. */
export const videosImages = createImagesStep({
  writes: [INPUT_REFERENCE, 'frame_images', 'input_references'],
  getNames: (hasFrameList) => ({
    image: hasFrameList ? 'frame_images' : INPUT_REFERENCE,
    last_frame: 'frame_images',
    images: 'input_references',
  }),
  findNames: () => ({}),
  wrapsReference: true,
  note:
    'A first frame alone as `input_reference`: a file of the library in a form, and otherwise ' +
    '`{image_url}`; both frames as `frame_images`; references as `input_references`',
});

/**
 * Sends images with the same name as one list. Read back, they fill the frames first, unless they
 * say where they belong.
 */
function createImagesStep({
  writes,
  getNames,
  findNames,
  wrapsReference,
  note,
}: ImageStepOptions): BodyStep {
  return {
    writes,
    note,
    encode(body, { request, wireNames, kind }) {
      const names = { ...getNames(listImages(request.last_frame).length > 0), ...wireNames };
      const images = imageFields.flatMap((field) =>
        listImages(request[field]).map((image) => ({
          field,
          image,
          name: getWireName(field, names),
        })),
      );
      const written = { ...body };
      for (const [name, group] of Map.groupBy(images, (image) => image.name)) {
        const isWrapped = wrapsReference && name === INPUT_REFERENCE && kind === 'json';
        const items = group.map(({ field, image }) =>
          isWrapped ? { image_url: image } : shapeImage(name, field, image),
        );
        const outer = name.replace(URL_INSIDE, '');
        const isList = items.length > 1 || isPlural(outer) || group[0]?.field === 'images';
        written[outer] = isList ? items : (items[0] ?? null);
      }
      return written;
    },
    decode(body, { wireNames }) {
      const found = { ...findNames(body), ...wireNames };
      const names = { ...getNames(Object.hasOwn(body, 'frame_images')), ...found };
      const fields: JsonObject = {};
      const rest = { ...body };
      const byName = Map.groupBy(imageFields, (field) => getWireName(field, names));
      for (const [name, group] of byName) {
        const outer = name.replace(URL_INSIDE, '');
        placeImages(fields, listImages(body[outer]), group);
        delete rest[outer];
      }
      return { fields, body: rest, wireNames: found };
    },
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
function shapeImage(name: string, field: ImageField, image: JsonValue): JsonValue {
  if (URL_INSIDE.test(name)) return { url: image };
  const part = { type: 'image_url', image_url: { url: image } };
  if (name === 'input_references') return part;
  if (name !== 'frame_images') return image;
  return { ...part, frame_type: field === 'last_frame' ? 'last_frame' : 'first_frame' };
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
  const { image_url: part, url = part } = image;
  return isJsonObject(url) ? (url.url ?? '') : (url ?? image);
}

/** Finds fields that the body has in another shape, or under a name that isn't a field itself. */
function findOtherNames(body: JsonObject): WireNames {
  const found = imageFields.flatMap((field) => {
    const names = Object.hasOwn(body, field) ? [`${field}.url`] : imageFieldNames[field];
    const name = names.find((other) => !joinedImageFields.has(other) && hasImages(body, other));
    return name === undefined ? [] : [[field, name]];
  });
  return Object.fromEntries(found);
}

/** Returns true if the body has the name, with images in the shape that the name asks for. */
function hasImages(body: JsonObject, name: string): boolean {
  const images = body[name.replace(URL_INSIDE, '')];
  const isInside = listImages(images).some((image) => isJsonObject(image) && 'url' in image);
  return images !== undefined && isInside === URL_INSIDE.test(name);
}
