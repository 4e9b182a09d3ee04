import type { Media } from '../../../shared/media.ts';
import { formatBytes, formatCount } from '../../lib/format-quantity.ts';

/** Limits of the strictest providers: https://docs.claude.com/en/docs/build-with-claude/vision */
const MAX_SIDE = 8000;
export const MAX_IMAGE_BYTES = 5_000_000;
/** Providers scale larger images down to about this before the model sees them. */
export const SCALED_SIDE = 2048;

export type TargetFormat = 'image/jpeg' | 'image/png';

type Shape = Pick<Media, 'kind' | 'type' | 'width' | 'height' | 'sizeBytes'>;

/** Formats that few models accept. */
const convertible = new Set(['image/tiff', 'image/bmp', 'image/heic']);
const hidden = new Set(['image/tiff', 'image/heic']);

/** Browsers don't show TIFF and HEIC. */
export function canShowImage({ type }: Pick<Media, 'type'>): boolean {
  return !hidden.has(type);
}

/** Describes the limit that the image exceeds, such as `over 8,000 pixels`; null if it's fine. */
export function getExceeded({ width, height, sizeBytes }: Shape): string | null {
  if (Math.max(width ?? 0, height ?? 0) > MAX_SIDE) return `over ${formatCount(MAX_SIDE)} pixels`;
  return sizeBytes > MAX_IMAGE_BYTES ? `over ${formatBytes(MAX_IMAGE_BYTES)}` : null;
}

export interface ImageChange {
  label: string;
  maxSide: number | null;
  formats: readonly TargetFormat[];
}

/** Suggests a change to an image before it is sent; null if none is needed. */
export function getImageChange(media: Shape): ImageChange | null {
  if (media.kind !== 'image') return null;
  const isLarge = getExceeded(media) !== null;
  if (convertible.has(media.type)) {
    const needsScale = Math.max(media.width ?? 0, media.height ?? 0) > MAX_SIDE;
    return {
      label: 'Convert to JPEG',
      maxSide: needsScale ? SCALED_SIDE : null,
      formats: ['image/jpeg'],
    };
  }
  if (!isLarge) return null;
  return {
    label: `Scale to ${formatCount(SCALED_SIDE)} px`,
    maxSide: SCALED_SIDE,
    // PNG keeps transparency and sharp text, but a photo can be too large.
    formats: media.type === 'image/jpeg' ? ['image/jpeg'] : ['image/png', 'image/jpeg'],
  };
}
