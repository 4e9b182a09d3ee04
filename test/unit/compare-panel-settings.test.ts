import { expect, test } from 'vitest';
import { comparedImage } from '../../renderer/features/image/compared-image.ts';
import { comparedVideo } from '../../renderer/features/video/video-form-values.ts';
import { pickDifferingSettings } from '../../renderer/run/compare/compared-input.ts';
import { emptyInputs } from '../../shared/operations/empty-inputs.ts';

const image = comparedImage.settings ?? expect.fail();
const video = comparedVideo.settings ?? expect.fail();

test('merges a variant’s image settings with those of the form', () => {
  const own = {
    contents: [],
    generationConfig: { seed: 1, responseModalities: ['TEXT'], imageConfig: { imageSize: '1K' } },
  };
  expect(image.write(own, { aspectRatio: '16:9', responseModalities: 'TEXT, IMAGE' })).toEqual({
    generationConfig: {
      seed: 1,
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { imageSize: '1K', aspectRatio: '16:9' },
    },
  });
  expect(image.write({ contents: [] }, { responseModalities: 'IMAGE' })).toEqual({
    generationConfig: { responseModalities: ['IMAGE'] },
  });
});

test('reads and writes the extra parameters of a video', () => {
  const rows = [
    { name: 'style', value: '' },
    { name: ' ', value: 'x' },
    { name: 'steps', value: '4' },
  ];
  const fields = video.fields({ ...emptyInputs.video, rows });
  expect(fields.map(({ name, value }) => `${name}=${value}`)).toEqual(['style=', 'steps=4']);
  expect(video.write({ metadata: { style: 'ink', steps: 4 } }, { steps: '30' })).toEqual({
    metadata: { style: 'ink', steps: 30 },
  });
});

test('lists only differing settings, in the order of the fields', () => {
  const fields = image.fields({ ...emptyInputs.image, imageSize: '1K', aspectRatio: '1:1' });
  const settings = { seed: '1', imageSize: '2K', aspectRatio: '1:1', responseModalities: 'IMAGE' };
  expect(Object.entries(pickDifferingSettings(fields, settings))).toEqual([
    ['imageSize', '2K'],
    ['responseModalities', 'IMAGE'],
    ['seed', '1'],
  ]);
});
