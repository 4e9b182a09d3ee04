import { describe, expect, it } from 'vitest';
import {
  countSetRows,
  findDuplicateName,
  firstRows,
  readForm,
  toVideoFields,
} from '../../renderer/features/video/video-form-values.ts';

const empty = {
  prompt: 'A boat',
  image: '',
  lastFrame: '',
  references: [],
  rows: [...firstRows],
};

describe('the form of a video', () => {
  it('sends only set fields', () => {
    expect(toVideoFields(empty)).toEqual({ prompt: 'A boat' });
    expect(countSetRows(empty)).toBe(0);
  });

  it('converts rows to metadata, as JSON if they parse and as text otherwise', () => {
    const values = {
      negative_prompt: '12 monkeys',
      ' steps ': '30',
      hd: 'true',
      code: '"007"',
      '': 'no name',
      style: '',
    };
    const rows = Object.entries(values).map(([name, value]) => ({ name, value }));
    expect(toVideoFields({ ...empty, rows }).metadata).toEqual({
      negative_prompt: '12 monkeys',
      steps: 30,
      hd: true,
      code: '007',
    });
  });

  it('restores a recorded request', () => {
    const request = {
      model: 'v-1',
      prompt: 'A boat',
      image: 'media:Ab3_-Ab3_-Ab3_-Ab3_-Ab',
      last_frame: 'https://example.com/z.png',
      images: ['https://example.com/1.png', 'https://example.com/2.png'],
      metadata: { style: 'woodcut', steps: 30, code: '007', flags: ['a'] },
    };
    const { model: _, ...fields } = request;
    expect(toVideoFields(readForm(request))).toEqual(fields);
  });

  it('finds a name that two fields would send', () => {
    const twice = [
      { name: 'style', value: 'a' },
      { name: 'style ', value: 'b' },
    ];
    expect(findDuplicateName(twice)).toBe('style');
    expect(findDuplicateName([{ name: 'style', value: '' }, ...twice.slice(1)])).toBeNull();
  });
});
