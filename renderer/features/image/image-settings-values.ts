import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { ImageInput } from '../../../shared/operations/image/input.ts';
import { parseJson } from '../../../shared/parse-json.ts';

/** `generationConfig` as the sidebar states it. */
export type ImageSettings = Pick<
  ImageInput,
  'responseModalities' | 'aspectRatio' | 'imageSize' | 'moreConfig'
>;

export type CheckedSettings =
  | { ok: true; generationConfig: JsonObject | null }
  | { ok: false; problem: string };

export function checkSettings(settings: ImageSettings): CheckedSettings {
  const { responseModalities, aspectRatio, imageSize } = settings;
  const more = readMore(settings.moreConfig);
  if (more === null) {
    return { ok: false, problem: 'Enter a JSON object, such as {"temperature": 0.4}.' };
  }
  const { imageConfig: moreImage = {} } = more;
  if (!isJsonObject(moreImage)) return { ok: false, problem: 'imageConfig: Enter a JSON object.' };
  const imageConfig: JsonObject = {
    ...moreImage,
    ...(aspectRatio.trim() !== '' && { aspectRatio: aspectRatio.trim() }),
    ...(imageSize.trim() !== '' && { imageSize: imageSize.trim() }),
  };
  const config: JsonObject = {
    ...more,
    ...(responseModalities !== null && { responseModalities }),
    ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
  };
  const problem = wrongType(config, imageConfig);
  if (problem !== null) return { ok: false, problem };
  return { ok: true, generationConfig: Object.keys(config).length > 0 ? config : null };
}

/** The types that main holds these fields to, in its words; what else is there is free. */
function wrongType(config: JsonObject, imageConfig: JsonObject): string | null {
  const { responseModalities = [] } = config;
  if (!Array.isArray(responseModalities)) return 'responseModalities: Enter a list.';
  if (!responseModalities.every((word) => typeof word === 'string')) {
    return 'responseModalities: Enter a list of text.';
  }
  const wrong = ['aspectRatio', 'imageSize'].find(
    (name) => imageConfig[name] !== undefined && typeof imageConfig[name] !== 'string',
  );
  return wrong === undefined ? null : `imageConfig.${wrong}: Enter text.`;
}

/** The reverse, for a request that was recorded. */
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

/** How many of them differ from a new form's. */
export function changedSettingCount(settings: ImageSettings): number {
  const { responseModalities, aspectRatio, imageSize, moreConfig } = settings;
  return [
    !isSameJson(responseModalities, emptyInputs.image.responseModalities),
    aspectRatio.trim() !== '',
    imageSize.trim() !== '',
    moreConfig.trim() !== '',
  ].filter(Boolean).length;
}

/** Null for what is no JSON object. */
function readMore(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
