import { describe, expect, it } from 'vitest';
import {
  doubledName,
  firstRows,
  formFields,
  readForm,
  setOptionCount,
} from '../../renderer/features/video/video-form-values.ts';
import { withWireNames } from '../../shared/operations/video/fields.ts';

const empty = { prompt: 'A boat', image: '', rows: firstRows, wireNames: {} };

describe('the form of a video', () => {
  it('sends nothing that is not set', () => {
    expect(formFields(empty)).toEqual({ prompt: 'A boat' });
    expect(setOptionCount(empty)).toBe(0);
  });

  it('makes rows to metadata: JSON where it reads as JSON, else text', () => {
    const rows = [
      { name: 'negative_prompt', value: '12 monkeys' },
      { name: ' steps ', value: '30' },
      { name: 'hd', value: 'true' },
      { name: 'code', value: '"007"' },
      { name: '', value: 'no name' },
      { name: 'style', value: '' },
    ];
    expect(formFields({ ...empty, rows }).metadata).toEqual({
      negative_prompt: '12 monkeys',
      steps: 30,
      hd: true,
      code: '007',
    });
  });

  it('comes back from a recorded request as it was sent', () => {
    const request = {
      model: 'v-1',
      prompt: 'A boat',
      image: 'media:Ab3_-Ab3_-Ab3_-Ab3_-Ab',
      metadata: { style: 'woodcut', steps: 30, code: '007', flags: ['a'] },
      wire_names: { seed: 'random_seed' },
    };
    const { model: _, ...asked } = request;
    expect(formFields(readForm(request))).toEqual(asked);
  });

  it('names what stands there twice, where both would be sent', () => {
    const twice = [
      { name: 'style', value: 'a' },
      { name: 'style ', value: 'b' },
    ];
    expect(doubledName(twice)).toBe('style');
    expect(doubledName([{ name: 'style', value: '' }, ...twice.slice(1)])).toBeNull();
  });
});

describe('withWireNames', () => {
  it('sends fields under the names that the user gave, and not the names themselves', () => {
    expect(
      withWireNames({ prompt: 'x', seed: 1, fps: 24, wire_names: { seed: 's', fps: ' ' } }),
    ).toEqual({ prompt: 'x', s: 1, fps: 24 });
  });
});
