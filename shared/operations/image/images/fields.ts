/**
 * Maps each image field to the Images API, which has one prompt instead of turns:
 * https://platform.openai.com/docs/api-reference/images
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import { findReferencedMedia } from '../../../media.ts';
import type { BodyStep, FieldTable } from '../../field-table.ts';
import type { FormFormat } from '../../operation.ts';
import { getCamelOrSnake } from '../../response/values.ts';
import type { ImageRequest } from '../request.ts';

/** Images are files of a form, so only an edit has them. */
const contents: BodyStep = {
  writes: ['prompt', 'image', 'image[]'],
  encode: (body, { request, kind }) => ({
    ...body,
    prompt: getPrompt(request.contents),
    ...(kind === 'form' && nameImages(listEditedImages(request.contents), request.image_field)),
  }),
  decode(body) {
    const { prompt, image, 'image[]': several } = body;
    const text = prompt === undefined || prompt === '' ? [] : [{ text: prompt }];
    const parts = [...listGiven(image, several).map(toPart), ...text];
    const field = isRepeated(body) ? { image_field: 'image' } : {};
    return { fields: { contents: [{ role: 'user', parts }], ...field } };
  },
  note:
    'The text of the last turn as `prompt`; the images of the turn, after those of the last answer, ' +
    'as files `image` or, if there are several, `image[]`; `image_field` repeats `image` instead',
};

export const imagesFields: FieldTable<ImageRequest> = {
  model: 'same',
  n: 'same',
  size: 'same',
  quality: 'same',
  background: 'same',
  output_format: 'same',
  output_compression: 'same',
  response_format: 'same',
  stream: 'same',
  partial_images: 'same',
  style: { only: 'json' },
  moderation: { only: 'json' },
  input_fidelity: { only: 'form' },
  contents: { step: contents },
  image_field: 'local',
  mask: { only: 'form' },
  generationConfig: 'unsent',
};

/** Requests with images are edits. */
export const editForm: FormFormat = {
  path: '/v1/images/edits',
  files: ['image', 'image[]', 'mask'],
  isUsed: ({ contents: turns }) => listEditedImages(turns).length > 0,
};

/** Writes a single image under `image`, and several under `image[]` unless `image` is repeated. */
export function normalizeImages(body: JsonObject): JsonObject {
  const { image, 'image[]': several, ...rest } = body;
  const images = listGiven(image, several);
  if (images.length === 0 || isRepeated(body)) return body;
  return { ...rest, ...nameImages(images, undefined) };
}

/** Some gateways read several files of one name, `image`: https://github.com/maximhq/bifrost/pull/1771 */
function isRepeated({ image, 'image[]': several }: JsonObject): boolean {
  return Array.isArray(image) && image.length > 1 && several === undefined;
}

function nameImages(images: JsonValue[], field: JsonValue | undefined): JsonObject {
  const [first = null] = images;
  if (images.length === 1) return { image: first };
  return images.length === 0 ? {} : { [field === 'image' ? 'image' : 'image[]']: images };
}

function listGiven(...values: readonly (JsonValue | undefined)[]): JsonValue[] {
  return values.flatMap((value) => value ?? []);
}

const DATA_URL = /^data:([^;,]+)[^,]*;base64,(.*)$/s;

/** Converts an image, which is a `media:` reference or a data URL, to a part of a turn. */
function toPart(image: JsonValue): JsonObject {
  const [, mimeType, data] = typeof image === 'string' ? (DATA_URL.exec(image) ?? []) : [];
  return { inlineData: mimeType === undefined ? { data: image } : { mimeType, data: data ?? '' } };
}

/** Returns the text of the last turn that the user sent. */
function getPrompt(turns: JsonValue | undefined): string {
  const turn = listTurns(turns).findLast(isUser);
  return listParts(turn)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

/**
 * Returns the references to the images of the last answer and of the last turn, because a prompt may
 * continue an answer.
 */
export function listEditedImages(value: JsonValue | undefined): string[] {
  const turns = listTurns(value);
  const last = turns.findLastIndex(isUser);
  const before = turns[last - 1];
  const answered = before === undefined || isUser(before) ? [] : listImages(before);
  return [...answered, ...listImages(turns[last])];
}

function listImages(turn: JsonObject | undefined): string[] {
  return listParts(turn).flatMap((part) => {
    const inline = part.thought === true ? undefined : getCamelOrSnake(part, 'inlineData');
    const data = isJsonObject(inline) ? inline.data : undefined;
    return typeof data === 'string' && findReferencedMedia(data) !== null ? [data] : [];
  });
}

function listTurns(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function listParts(turn: JsonObject | undefined): JsonObject[] {
  return Array.isArray(turn?.parts) ? turn.parts.filter(isJsonObject) : [];
}

function isUser({ role = 'user' }: JsonObject): boolean {
  return role === 'user';
}
