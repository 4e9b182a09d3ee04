import { describe, expect, it } from 'vitest';
import { findWireNameErrors } from '../../electron/operations/check-input.ts';
import { renameFields } from '../../shared/operations/rename-fields.ts';

describe('renameFields', () => {
  it('gives each field its wire name and keeps the order', () => {
    const request = { model: 'm', seed: 1, fps: 24, user: 'u' };
    const sent = renameFields(request, { fps: 'seed', seed: 'fps', n: 'count' });
    expect(JSON.stringify(sent)).toBe('{"model":"m","fps":1,"seed":24,"user":"u"}');
  });

  it('ignores inherited properties as wire names', () => {
    expect(renameFields({ toString: 'a', constructor: 'b' }, {})).toEqual({
      toString: 'a',
      constructor: 'b',
    });
  });
});

describe('findWireNameErrors', () => {
  it.each([
    ['a name of its own', { seed: 'random_seed' }],
    ['the name it has', { seed: 'seed' }],
    ['two that change places', { seed: 'fps', fps: 'seed' }],
    ['a name that another field gave up', { seed: 'fps', fps: 'frame_rate' }],
    ['one name for the images of a video', { image: 'images', last_frame: 'images' }],
  ])('accepts %s', (_case, wireNames) => {
    expect(findWireNameErrors('video', wireNames)).toEqual([]);
  });

  const taken = '“prompt” is already used by another field.';
  const twice = '“x” is already used by another field.';
  it.each([
    ['an empty name', { seed: '' }, { seed: 'Enter a field name.' }],
    ['the name of a field that keeps it', { seed: 'prompt' }, { seed: taken }],
    ['one name for two', { seed: 'x', fps: 'x' }, { seed: twice, fps: twice }],
    ['one name for an image and a number', { image: 'x', fps: 'x' }, { image: twice, fps: twice }],
    ['a field of the interface', { width: 'w' }, { width: '“width” can’t be renamed.' }],
    ['an unknown field', { constructor: 'w' }, { constructor: '“constructor” can’t be renamed.' }],
  ])('rejects %s', (_case, wireNames, messages) => {
    const errors = findWireNameErrors('video', wireNames);
    expect(errors.map(({ path, message }) => [...path, message])).toEqual(
      Object.entries(messages).map(([field, message]) => ['wireNames', field, message]),
    );
  });

  it('accepts only fields of the operation', () => {
    expect(findWireNameErrors('speech', { voice: 'speaker' })).toEqual([]);
    expect(findWireNameErrors('speech', { seed: 'x' })).toHaveLength(1);
  });
});
