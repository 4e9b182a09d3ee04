/** Writes a video request for `/v1/videos`; docs/formats.md lists the sources. */
import type { JsonObject, JsonValue } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';
import { jsonNumber, parseJson } from '../../parse-json.ts';
import type { RunInput } from '../../run.ts';
import type { FormRequest, RequestFormat } from '../operation.ts';
import { INPUT_REFERENCE, VIDEOS } from './image-fields.ts';

export const videosFormat: RequestFormat = {
  name: VIDEOS,
  title: 'Videos',
  path: '/v1/videos',
  getPath: ({ remix_video_id: id }) =>
    isText(id) ? `/v1/videos/${encodeURIComponent(id.toWellFormed())}/remix` : '/v1/videos',
  encode,
  decode,
  toForm,
  unsent: new Set(['n', 'response_format']),
};

/** Writes the duration as text and the size as one field; a remix sends only its prompt. */
function encode({
  duration,
  width,
  height,
  remix_video_id: remixed,
  ...request
}: JsonObject): JsonObject {
  if (isText(remixed)) return 'prompt' in request ? { prompt: request.prompt ?? '' } : {};
  return {
    ...request,
    ...(duration !== undefined && { seconds: JSON.stringify(duration) }),
    ...(width !== undefined &&
      height !== undefined && { size: `${JSON.stringify(width)}x${JSON.stringify(height)}` }),
  };
}

function decode({ seconds, size, ...body }: JsonObject): JsonObject {
  const [, width, height] = typeof size === 'string' ? (SIZE.exec(size) ?? []) : [];
  const duration = typeof seconds === 'string' ? parseJson(seconds) : undefined;
  return {
    ...body,
    ...(duration !== undefined && { duration }),
    ...(width !== undefined && { width: jsonNumber(width) }),
    ...(height !== undefined && { height: jsonNumber(height) }),
  };
}

const SIZE = /^([1-9]\d*)x([1-9]\d*)$/;

/** Uploads a first frame from the library, because not every gateway accepts it in JSON. */
function toForm(
  { image, ...request }: JsonObject,
  wireNames: RunInput['wireNames'],
): FormRequest | null {
  const isAlone = !('last_frame' in request || 'images' in request || 'image' in wireNames);
  const isFile = isText(image) && findReferencedMedia(image) !== null;
  if (!isAlone || !isFile || isText(request.remix_video_id)) return null;
  const files = [{ name: INPUT_REFERENCE, reference: image }];
  return { path: videosFormat.path, fields: encode(request), files };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
