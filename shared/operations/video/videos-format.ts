/** Maps each video field to `/v1/videos`; docs/formats.md lists the sources. */
import type { JsonObject, JsonValue } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';
import { parseJson, readJsonNumber } from '../../parse-json.ts';
import type { BodyStep, FieldTable } from '../field-table.ts';
import type { RequestFormat } from '../operation.ts';
import { INPUT_REFERENCE, VIDEOS, videosImages } from './image-fields.ts';
import type { VideoRequest } from './request.ts';

const SIZE = /^([1-9]\d*)x([1-9]\d*)$/;

const size: BodyStep = {
  writes: ['size'],
  encode(body, { request: { width, height } }) {
    if (width === undefined || height === undefined) return body;
    return { ...body, size: `${JSON.stringify(width)}x${JSON.stringify(height)}` };
  },
  decode(body) {
    const [, width, height] = typeof body.size === 'string' ? (SIZE.exec(body.size) ?? []) : [];
    if (width === undefined || height === undefined) return { fields: {} };
    return { fields: { width: readJsonNumber(width), height: readJsonNumber(height) } };
  },
  note: '`size`, such as `1280x720`; both or neither',
};

const remix: BodyStep = {
  writes: [],
  encode: (body, { request }) =>
    !isText(request.remix_video_id)
      ? body
      : Object.hasOwn(body, 'prompt')
        ? { prompt: body.prompt ?? '' }
        : {},
  only: ['model', 'prompt', 'variants'],
  note: '`POST /v1/videos/{id}/remix` with the prompt alone',
};

/** `remix_video_id` is last, because its step omits what the other rows wrote. */
export const videosFields: FieldTable<VideoRequest> = {
  model: 'same',
  prompt: 'same',
  fps: 'same',
  seed: 'same',
  metadata: 'same',
  user: 'same',
  duration: {
    at: ['seconds'],
    encode: (seconds) => JSON.stringify(seconds),
    decode: (text) => (typeof text === 'string' ? parseJson(text) : undefined),
    note: 'as text; OpenRouter takes `duration`: set it in Extra JSON',
  },
  width: { step: size },
  height: { step: size },
  image: { step: videosImages },
  last_frame: { step: videosImages },
  images: { step: videosImages },
  n: 'unsent',
  response_format: 'unsent',
  variants: 'local',
  remix_video_id: { step: remix },
};

export const videosFormat: RequestFormat = {
  name: VIDEOS,
  title: 'Videos',
  path: '/v1/videos',
  getPath: ({ remix_video_id: id }, path) =>
    isText(id) ? `${path}/${encodeURIComponent(id.toWellFormed())}/remix` : path,
  fields: videosFields,
  /** Uploads a first frame from the library, because not every gateway accepts it in JSON. */
  form: {
    path: '/v1/videos',
    files: [INPUT_REFERENCE],
    isUsed({ image, ...request }: JsonObject, wireNames) {
      const isAlone = !('last_frame' in request || 'images' in request || 'image' in wireNames);
      const isFile = isText(image) && findReferencedMedia(image) !== null;
      return isAlone && isFile && !isText(request.remix_video_id);
    },
  },
};

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
