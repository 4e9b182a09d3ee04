import { describe, expect, it } from 'vitest';
import { renamedFields } from '../../renderer/run/form/validate-form.ts';
import { findWireNameErrors, renameFields } from '../../shared/operations/wire-names.ts';

describe('renameFields', () => {
  it('gives each field its wire name and keeps their order', () => {
    const sent = renameFields(
      { model: 'm', seed: 1, fps: 24, user: 'u' },
      { fps: 'seed', seed: 'fps', n: 'count' },
    );
    expect(Object.entries(sent)).toEqual([
      ['model', 'm'],
      ['fps', 1],
      ['seed', 24],
      ['user', 'u'],
    ]);
  });

  it('takes what every object inherits for no wire name', () => {
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
  ])('accepts %s', (_case, wireNames) => {
    expect(findWireNameErrors('video', wireNames)).toEqual([]);
  });

  it.each([
    ['an empty name', { seed: '' }, { seed: 'Enter a field name.' }],
    [
      'the name of a field that keeps it',
      { seed: 'prompt' },
      { seed: '“prompt” is already used by another field.' },
    ],
    [
      'one name for two',
      { seed: 'x', fps: 'x' },
      {
        seed: '“x” is already used by another field.',
        fps: '“x” is already used by another field.',
      },
    ],
    ['a field of the interface', { width: 'w' }, { width: '“width” can’t be renamed.' }],
    ['an unknown field', { constructor: 'w' }, { constructor: '“constructor” can’t be renamed.' }],
  ])('refuses %s', (_case, wireNames, messages) => {
    const errors = findWireNameErrors('video', wireNames);
    expect(errors).toEqual(
      Object.entries(messages).map(([field, message]) => ({
        path: ['wireNames', field],
        message,
      })),
    );
  });

  it('knows the fields of each operation', () => {
    expect(findWireNameErrors('speech', { voice: 'speaker' })).toEqual([]);
    expect(findWireNameErrors('speech', { seed: 'x' })).toHaveLength(1);
  });
});

describe('renamedFields', () => {
  it('leaves out blank names and those that a field has anyway', () => {
    expect(renamedFields({ seed: ' random_seed ', fps: ' ', user: 'user', n: '' })).toEqual({
      seed: 'random_seed',
    });
  });
});
