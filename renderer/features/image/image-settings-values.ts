import { isJsonNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import { getTypeName } from '../../../shared/operations/form/field-errors.ts';
import type { ValueShape } from '../../../shared/operations/form/request-facts.ts';
import type { ImageInput } from '../../../shared/operations/image/request.ts';
import { parseJson } from '../../../shared/parse-json.ts';

export type ImageSettings = Pick<
  ImageInput,
  'responseModalities' | 'aspectRatio' | 'imageSize' | 'moreConfig'
>;

export type CheckedSettings =
  | { ok: true; generationConfig: JsonObject | null }
  | { ok: false; problem: string };

/** `shape` has the types that the main process requires; undefined until they're loaded. */
export function checkSettings(
  settings: ImageSettings,
  shape: ValueShape | undefined,
): CheckedSettings {
  const { responseModalities, aspectRatio, imageSize } = settings;
  const more = readMore(settings.moreConfig);
  if (more === null) {
    return { ok: false, problem: 'Enter a JSON object, such as {"temperature": 0.4}.' };
  }
  const { imageConfig: moreImage = {} } = more;
  const imageConfig = isJsonObject(moreImage)
    ? {
        ...moreImage,
        ...(aspectRatio.trim() !== '' && { aspectRatio: aspectRatio.trim() }),
        ...(imageSize.trim() !== '' && { imageSize: imageSize.trim() }),
      }
    : moreImage;
  const config: JsonObject = {
    ...more,
    ...(responseModalities !== null && { responseModalities }),
    ...(!isSameJson(imageConfig, {}) && { imageConfig }),
  };
  const problem = shape === undefined ? null : typeProblem(config, shape);
  if (problem !== null) return { ok: false, problem };
  return { ok: true, generationConfig: isSameJson(config, {}) ? null : config };
}

/** Returns an error for the first value whose type doesn't match `shape`, or null. */
function typeProblem(value: JsonValue, shape: ValueShape, path: string[] = []): string | null {
  const { type, items, properties = {} } = shape;
  if (type !== undefined && getType(value) !== type) {
    return `${path.join('.')}: Enter ${getTypeName(type)}.`;
  }
  const inside = Array.isArray(value)
    ? value.map((item, index) => [`${index}`, item, items] as const)
    : Object.entries(properties).map(
        ([name, inner]) => [name, isJsonObject(value) ? value[name] : undefined, inner] as const,
      );
  for (const [name, item, inner] of inside) {
    if (item === undefined || inner === undefined) continue;
    const problem = typeProblem(item, inner, [...path, name]);
    if (problem !== null) return problem;
  }
  return null;
}

function getType(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isJsonNumber(value) ? 'number' : typeof value;
}

export function readSettings(config: JsonValue | undefined): ImageSettings {
  const { responseModalities, imageConfig, ...more } = isJsonObject(config) ? config : {};
  const { aspectRatio, imageSize, ...moreImage } = isJsonObject(imageConfig) ? imageConfig : {};
  const rest = Object.keys(moreImage).length > 0 ? { ...more, imageConfig: moreImage } : more;
  return {
    responseModalities: Array.isArray(responseModalities)
      ? responseModalities.filter((word) => typeof word === 'string')
      : null,
    aspectRatio: typeof aspectRatio === 'string' ? aspectRatio : '',
    imageSize: typeof imageSize === 'string' ? imageSize : '',
    moreConfig: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '',
  };
}

export function countChangedSettings(settings: ImageSettings): number {
  const { responseModalities, aspectRatio, imageSize, moreConfig } = settings;
  return [
    !isSameJson(responseModalities, emptyInputs.image.responseModalities),
    aspectRatio.trim() !== '',
    imageSize.trim() !== '',
    moreConfig.trim() !== '',
  ].filter(Boolean).length;
}

/** Returns null if the text isn't a JSON object. */
function readMore(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
