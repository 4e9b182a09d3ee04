/** Converts between the image form and request fields. Pure. */
import type { JsonObject } from '../../../shared/json.ts';
import type { ImageInput } from '../../../shared/operations/image/input.ts';
import { checkSettings, readSettings } from './image-settings-values.ts';
import { readContents, toContents, userTurn } from './turns.ts';

/** Leaves out settings that can't be sent. */
export function requestOfInput({ prompt, images, earlier, ...settings }: ImageInput): JsonObject {
  const checked = checkSettings(settings, undefined);
  const config = checked.ok ? checked.generationConfig : null;
  return {
    contents: toContents([...earlier, userTurn(prompt, images)]),
    ...(config !== null && { generationConfig: config }),
  };
}

export function inputOfRequest({ contents, generationConfig }: JsonObject): ImageInput {
  return { ...readContents(contents), ...readSettings(generationConfig) };
}
