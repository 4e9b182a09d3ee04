import { expect, it } from 'vitest';
import { type DateRange, getDateBounds } from '../../shared/saved-run-filter.ts';

const now = new Date(2026, 10, 28, 13, 45);
const day = (date: number, month = 10) => new Date(2026, month, date).getTime();

it.each<[DateRange, number | null, number | null]>([
  [{ kind: 'any' }, null, null],
  [{ kind: 'recent', days: 1 }, day(28), null],
  [{ kind: 'recent', days: 30 }, day(30, 9), null],
  [{ kind: 'between', first: '2026-11-02', last: '2026-11-02' }, day(2), day(3)],
  [{ kind: 'between', first: null, last: '2026-11-30' }, null, day(1, 11)],
])('converts %j to local midnight times', (dates, from, until) => {
  expect(getDateBounds(dates, now)).toEqual({ from, until });
});
