import { expect, it } from 'vitest';
import {
  findAdjacentEntry,
  getIdsBetweenRows,
  toggle,
} from '../../renderer/features/history/history-store.ts';

const ids = ['a', 'b', 'c', 'd'];

it('selects the rows between two rows, in either direction', () => {
  expect([...getIdsBetweenRows(ids, 'b', 'd')]).toEqual(['b', 'c', 'd']);
  expect([...getIdsBetweenRows(ids, 'd', 'b')]).toEqual(['b', 'c', 'd']);
  expect([...getIdsBetweenRows(ids, 'gone', 'b')]).toEqual(['b']);
  expect([...toggle(new Set(['a']), 'b')]).toEqual(['a', 'b']);
  expect([...toggle(new Set(['a']), 'a')]).toEqual([]);
});

it.each([
  [['b'], 'b', 'c'],
  [['c', 'd'], 'd', 'b'],
  [['a'], 'c', 'c'],
  [ids, 'a', null],
])('after deleting %j with %s on screen, shows %s', (deleted, shown, next) => {
  expect(findAdjacentEntry(ids, new Set(deleted), shown)).toBe(next);
});
