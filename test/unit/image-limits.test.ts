import { describe, expect, it } from 'vitest';
import { getExceeded, getImageChange } from '../../renderer/media/uploads/image-limits.ts';
import { medium } from '../fixtures/medium.ts';

const image = (type: string, width: number, height: number, sizeBytes = 1000) =>
  medium({ kind: 'image', type, width, height, sizeBytes });

describe('an image before it is sent', () => {
  it.each([
    ['fits', image('image/png', 8000, 8000, 5_000_000), null],
    ['has a side that is too long', image('image/png', 10, 8001), 'over 8,000 pixels'],
    ['has too many bytes', image('image/jpeg', 10, 10, 5_000_001), 'over 5.0 MB'],
  ])('%s', (_, media, expected) => {
    expect(getExceeded(media)).toBe(expected);
    expect(getImageChange(media)?.label ?? null).toBe(expected && 'Scale to 2,048 px');
  });

  it.each(['image/tiff', 'image/bmp', 'image/heic'])(
    'offers a conversion to JPEG at full size: %s',
    (type) => {
      expect(getImageChange(image(type, 100, 100))).toEqual({
        label: 'Convert to JPEG',
        maxSide: null,
        formats: ['image/jpeg'],
      });
      expect(getImageChange(image(type, 9000, 100))?.maxSide).toBe(2048);
    },
  );

  it('keeps the transparency of a scaled image', () => {
    expect(getImageChange(image('image/png', 9000, 10))?.formats[0]).toBe('image/png');
    expect(getImageChange(image('image/jpeg', 9000, 10))?.formats).toEqual(['image/jpeg']);
  });
});
