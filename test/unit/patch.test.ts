import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import { applyPatch, diff } from '../../shared/patch.ts';

describe('diff and applyPatch', () => {
  const cases: [string, JsonValue, JsonValue][] = [
    ['a string that grew', { text: 'Hel' }, { text: 'Hello' }],
    ['a string that changed', { text: 'Hello' }, { text: 'Help' }],
    ['an empty string that got its first letters', { text: '' }, { text: 'H' }],
    ['a new choice', { choices: [] }, { choices: [{ index: 0 }] }],
    [
      'growth deep inside an array',
      { c: [{ a: 'x' }, { a: 'y' }] },
      { c: [{ a: 'x' }, { a: 'yz' }] },
    ],
    ['a key that went away', { a: 1, b: 2 }, { a: 1 }],
    ['a null that became an object', { usage: null }, { usage: { total_tokens: 3 } }],
    ['an array that became shorter', { c: [1, 2, 3] }, { c: [1] }],
    ['a change of type', { c: 'x' }, { c: ['x'] }],
    ['the root itself', 'a', 'ab'],
    ['a key named like a prototype field', { a: 1 }, { a: 1, constructor: 'x' }],
  ];

  it.each(cases)('carries %s', (_name, before, after) => {
    expect(applyPatch(before, diff(before, after))).toEqual(after);
  });

  it('sends only the new end of a long text', () => {
    const before = { text: 'a'.repeat(10_000) };
    expect(diff(before, { text: `${before.text}b` })).toEqual([
      { op: 'append', path: ['text'], text: 'b' },
    ]);
  });

  it('is empty for equal states and skips shared branches', () => {
    const shared = { deep: [1, 2, 3] };
    expect(diff({ shared, n: 1 }, { shared, n: 1 })).toEqual([]);
  });

  it('leaves the old state as it was', () => {
    const before: JsonValue = { c: [{ a: 'x' }] };
    applyPatch(before, [{ op: 'append', path: ['c', 0, 'a'], text: 'y' }]);
    expect(before).toEqual({ c: [{ a: 'x' }] });
  });

  it('refuses a patch that does not fit', () => {
    expect(() => applyPatch({ a: 1 }, [{ op: 'append', path: ['a'], text: 'x' }])).toThrow(
      'doesn’t fit',
    );
  });
});
