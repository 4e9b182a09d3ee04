import { expect, it } from 'vitest';
import { adjacentEntry, between, toggle } from '../../renderer/features/history/history-store.ts';

const ids = ['a', 'b', 'c', 'd'];

it('selects the rows between two in either direction', () => {
  expect([...between(ids, 'b', 'd')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'd', 'b')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'gone', 'b')]).toEqual(['b']);
});

it('toggles one row', () => {
  expect([...toggle(new Set(['a']), 'b')]).toEqual(['a', 'b']);
  expect([...toggle(new Set(['a']), 'a')]).toEqual([]);
});

it('shows the next run after deletion', () => {
  expect(adjacentEntry(ids, new Set(['b']), 'b')).toBe('c');
  expect(adjacentEntry(ids, new Set(['c', 'd']), 'd')).toBe('b');
  expect(adjacentEntry(ids, new Set(['a']), 'c')).toBe('c');
  expect(adjacentEntry(ids, new Set(ids), 'a')).toBeNull();
});
