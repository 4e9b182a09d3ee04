import { describe, expect, it } from 'vitest';
import { replaceMedia } from '../../shared/operations/form/media-places.ts';
import { getVideoRequestSchema } from '../../shared/operations/video/request.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import { toHttp } from '../../shared/operations/write-request.ts';

const request = { model: 'v-1', image: 'first', last_frame: 'last', images: ['a', 'b'] };

function bodyOf(fields: typeof request | Partial<typeof request>, wireNames = {}) {
  return toHttp(videoOperation, { request: fields, extraBody: {}, wireNames }).body;
}

const part = (url: string) => ({ type: 'image_url', image_url: { url } });

describe('the images of a video request', () => {
  it('sends them under their own names', () => {
    expect(bodyOf(request)).toEqual(request);
  });

  const frames = { image: 'frame_images', last_frame: 'frame_images' };
  it.each<[string, Record<string, string>, object]>([
    [
      'other names',
      { image: 'first_frame_image', last_frame: 'last_frame_image' },
      { first_frame_image: 'first', last_frame_image: 'last', images: ['a', 'b'] },
    ],
    [
      'one name',
      { image: 'images', last_frame: 'images' },
      { images: ['first', 'last', 'a', 'b'] },
    ],
    [
      'a name for both frames',
      { image: 'frames', last_frame: 'frames' },
      { frames: ['first', 'last'], images: ['a', 'b'] },
    ],
    [
      'content parts',
      { ...frames, images: 'input_references' },
      {
        frame_images: ['first', 'last'].map((at) => ({ ...part(at), frame_type: `${at}_frame` })),
        input_references: [part('a'), part('b')],
      },
    ],
    [
      'names of objects with a URL',
      { image: 'image.url', images: 'reference_images.url' },
      {
        image: { url: 'first' },
        last_frame: 'last',
        reference_images: [{ url: 'a' }, { url: 'b' }],
      },
    ],
  ])('sends them under %s', (_name, wireNames, sent) => {
    expect(bodyOf(request, wireNames)).toEqual({ model: 'v-1', ...sent });
  });

  it.each([
    ['a list, under a plural name', { image: 'first' }, { image: 'images' }, { images: ['first'] }],
    ['a list, as a reference', { images: ['a'] }, { images: 'subject' }, { subject: ['a'] }],
    ['a text otherwise', { last_frame: 'last' }, { last_frame: 'end' }, { end: 'last' }],
    ['nothing if there is none', { images: [] }, {}, {}],
  ])('sends %s if there is only one', (_name, fields, wireNames, sent) => {
    expect(bodyOf({ model: 'v-1', ...fields }, wireNames)).toEqual({ model: 'v-1', ...sent });
  });

  it('accepts files from the library', () => {
    const id = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';
    const file = `media:${id}`;
    const files = { ...request, image: file, last_frame: file, images: [file, 'https://a/b.png'] };
    const sent = replaceMedia(getVideoRequestSchema(), files, (found, form) => `${form} ${found}`);
    const data = `data-url ${id}`;
    expect(sent).toEqual({
      model: 'v-1',
      image: data,
      last_frame: data,
      images: [data, 'https://a/b.png'],
    });
  });

  it('makes a prompt optional', () => {
    const isValid = (fields: object) =>
      getVideoRequestSchema().safeParse({ model: 'v-1', ...fields }).success;
    expect([{ last_frame: 'z' }, { images: ['a'] }].map(isValid)).toEqual([true, true]);
    expect([{}, { images: [] }].map(isValid)).toEqual([false, false]);
  });
});
