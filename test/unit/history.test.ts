import { expect, test } from 'vitest';
import { between, neighborOf, toggled } from '../../renderer/features/history/history-store.ts';

const ids = ['a', 'b', 'c', 'd'];

test('marks the rows between two, whichever came first', () => {
  expect([...between(ids, 'b', 'd')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'd', 'b')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'gone', 'b')]).toEqual(['b']);
});

test('marks and unmarks one', () => {
  expect([...toggled(new Set(['a']), 'b')]).toEqual(['a', 'b']);
  expect([...toggled(new Set(['a']), 'a')]).toEqual([]);
});

test('shows the next run once those are deleted', () => {
  expect(neighborOf(ids, new Set(['b']), 'b')).toBe('c');
  expect(neighborOf(ids, new Set(['c', 'd']), 'd')).toBe('b');
  expect(neighborOf(ids, new Set(['a']), 'c')).toBe('c');
  expect(neighborOf(ids, new Set(ids), 'a')).toBeNull();
});
