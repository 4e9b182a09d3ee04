import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import { listEditedImages } from '../../../shared/operations/image/images/fields.ts';
import type { ImageInput } from '../../../shared/operations/image/request.ts';
import type { ComparedInput } from '../../run/compare/compared-input.ts';
import { checkSettings, type ImageSettings, readSettings } from './image-settings-values.ts';
import { createUserTurn, readContents, toContents } from './turns.ts';

export const comparedImage: ComparedInput = {
  title: ({ contents }) => readContents(contents).prompt,
  promptField: {
    label: 'Prompt',
    several: 'Prompts',
    write({ contents }, prompt) {
      const { images, earlier } = readContents(contents);
      return { contents: toContents([...earlier, createUserTurn(prompt, images)]) };
    },
    read: ({ contents }) => (contents === undefined ? null : readContents(contents).prompt),
  },
  own: {
    write: (input) => ('imageSize' in input ? toImageRequest(input) : {}),
    read: toImageInput,
  },
  settings: {
    fields(input) {
      const values = 'imageSize' in input ? getSettingTexts(input) : {};
      return fields.map((field) => ({ ...field, value: values[field.name] ?? '' }));
    },
    write({ generationConfig }, { aspectRatio, imageSize, responseModalities }) {
      const config = isJsonObject(generationConfig) ? generationConfig : {};
      const image = isJsonObject(config.imageConfig) ? config.imageConfig : {};
      const imageConfig = {
        ...image,
        ...(aspectRatio !== undefined && { aspectRatio }),
        ...(imageSize !== undefined && { imageSize }),
      };
      return {
        generationConfig: {
          ...config,
          ...(responseModalities !== undefined && {
            responseModalities: responseModalities.split(/[\s,]+/),
          }),
          ...(!isSameJson(imageConfig, {}) && { imageConfig }),
        },
      };
    },
    read(own, sent) {
      if (sent.generationConfig === undefined) return {};
      const [before, after] = [own, sent].map(({ generationConfig }) =>
        getSettingTexts(readSettings(generationConfig)),
      );
      return Object.fromEntries(
        Object.entries(after ?? {}).filter(
          ([name, text]) => text !== '' && text !== before?.[name],
        ),
      );
    },
  },
};

const fields = [
  { name: 'aspectRatio', label: 'Aspect ratio', suggestions: ['1:1', '16:9', '9:16', '4:3'] },
  { name: 'imageSize', label: 'Image size', suggestions: ['1K', '2K', '4K'] },
  {
    name: 'responseModalities',
    label: 'Response modalities',
    suggestions: ['IMAGE', 'TEXT IMAGE', 'TEXT'],
  },
];

/** Returns empty strings for settings that weren't sent. */
function getSettingTexts(settings: Omit<ImageSettings, 'moreConfig'>): Record<string, string> {
  const { aspectRatio, imageSize, responseModalities } = settings;
  return {
    aspectRatio: aspectRatio.trim(),
    imageSize: imageSize.trim(),
    responseModalities: responseModalities?.join(' ') ?? '',
  };
}

/** Omits settings that can't be sent. */
export function toImageRequest({
  prompt,
  images,
  earlier,
  mask,
  ...settings
}: ImageInput): JsonObject {
  const checked = checkSettings(settings, undefined);
  const config = checked.ok ? checked.generationConfig : null;
  const contents = toContents([...earlier, createUserTurn(prompt, images)]);
  const isMasked = mask !== null && mask.imageId === findEditedImage(contents);
  return {
    contents,
    ...(config !== null && { generationConfig: config }),
    ...(isMasked && { mask: createMediaReference(mask.mediaId) }),
  };
}

export function toImageInput({ contents, generationConfig, mask }: JsonObject): ImageInput {
  const imageId = findEditedImage(contents);
  const mediaId = typeof mask === 'string' ? findReferencedMedia(mask) : null;
  return {
    ...readContents(contents),
    ...readSettings(generationConfig),
    mask: imageId === null || mediaId === null ? null : { mediaId, imageId },
  };
}

/** Returns the media ID of the image that a mask applies to; null without images. */
export function findEditedImage(contents: JsonValue | undefined): string | null {
  const [first] = listEditedImages(contents);
  return first === undefined ? null : findReferencedMedia(first);
}
