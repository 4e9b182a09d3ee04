/** What `generationConfig` requests of a picture. */
import { invalidRequest } from '../http/failure.ts';

/** Pixels of a square picture's side by its size label. */
const SIDES: Record<string, number> = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 };
const MODALITIES = ['TEXT', 'IMAGE'];

/** The words are upper case in the convention; case does not matter here. */
export function readModalities(requested: readonly string[] = MODALITIES): string[] {
  const modalities = requested.map((word) => word.toUpperCase());
  const unknown = modalities.find((word) => !MODALITIES.includes(word));
  if (unknown !== undefined || modalities.length === 0) {
    throw invalidRequest(
      'generationConfig.responseModalities: This model supports TEXT and IMAGE.',
      'generationConfig.responseModalities',
    );
  }
  return modalities;
}

/** Pictures of one size label have about the same number of pixels whatever their ratio. */
export function readPictureSize(aspectRatio = '1:1', imageSize = '1K') {
  const side = SIDES[imageSize.toUpperCase()];
  if (side === undefined) {
    throw invalidRequest(
      'generationConfig.imageConfig.imageSize: Use 512, 1K, 2K or 4K.',
      'generationConfig.imageConfig.imageSize',
    );
  }
  const [, across = '', down = ''] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio) ?? [];
  const ratio = Number(across) / Number(down);
  if (!(ratio >= 0.1 && ratio <= 10)) {
    throw invalidRequest(
      'generationConfig.imageConfig.aspectRatio: Use a width-to-height ratio such as 16:9.',
      'generationConfig.imageConfig.aspectRatio',
    );
  }
  return {
    width: Math.round(side * Math.sqrt(ratio)),
    height: Math.round(side / Math.sqrt(ratio)),
  };
}
