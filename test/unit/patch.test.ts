import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import { applyPatch, diff } from '../../shared/patch.ts';

describe('diff and applyPatch', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['an array that became shorter', { c: [1, 2, 3] }, { c: [1] }],
    ['growth inside an array', { c: [{ a: 'x' }, { a: 'y' }] }, { c: [{ a: 'x' }, { a: 'z' }] }],
    ['the root itself', 'a', 'ab'],
    ['a key named like a prototype field', { a: 1 }, { a: 1, constructor: 'x' }],
  ])('applies %s', (_name, before, after) => {
    expect(applyPatch(before, diff(before, after))).toEqual(after);
  });

  it('sends only the new end of a long text', () => {
    const before = { text: 'a'.repeat(10_000) };
    const patch = [{ op: 'append', path: ['text'], text: 'b' }];
    expect(diff(before, { text: `${before.text}b` })).toEqual(patch);
  });

  it('refuses a patch that does not fit', () => {
    expect(() => applyPatch({ a: 1 }, [{ op: 'append', path: ['a'], text: 'x' }])).toThrow(
      'doesn’t fit',
    );
  });
});
