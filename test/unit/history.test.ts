import { expect, test } from 'vitest';
import { adjacentEntry, between, toggle } from '../../renderer/features/history/history-store.ts';

const ids = ['a', 'b', 'c', 'd'];

test('marks the rows between two, whichever came first', () => {
  expect([...between(ids, 'b', 'd')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'd', 'b')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'gone', 'b')]).toEqual(['b']);
});

test('marks and unmarks one', () => {
  expect([...toggle(new Set(['a']), 'b')]).toEqual(['a', 'b']);
  expect([...toggle(new Set(['a']), 'a')]).toEqual([]);
});

test('shows the next run once those are deleted', () => {
  expect(adjacentEntry(ids, new Set(['b']), 'b')).toBe('c');
  expect(adjacentEntry(ids, new Set(['c', 'd']), 'd')).toBe('b');
  expect(adjacentEntry(ids, new Set(['a']), 'c')).toBe('c');
  expect(adjacentEntry(ids, new Set(ids), 'a')).toBeNull();
});
