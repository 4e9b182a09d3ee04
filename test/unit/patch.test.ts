import { describe, expect, it } from 'vitest';
import { applyPatch, diff } from '../../shared/patch.ts';

describe('diff and applyPatch', () => {
  it('applies a patch to a key with the name of a prototype field', () => {
    const after = { a: 1, constructor: 'x' };
    expect(applyPatch<object>({ a: 1 }, diff<object>({ a: 1 }, after))).toEqual(after);
  });

  it('sends only the appended end of a long text', () => {
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
