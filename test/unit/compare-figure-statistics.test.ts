import { expect, test } from 'vitest';
import { markBest, summarizeRepeats } from '../../renderer/run/compare/figures-table.ts';

test.each<[(number | null)[], object | null]>([
  // https://en.wikipedia.org/wiki/Quartile
  [
    [6, 7, 15, 36, 39, 40, 41, 42, 43, 47, 49],
    { count: 11, median: 40, lowerQuartile: 25.5, upperQuartile: 42.5 },
  ],
  [[41, 7, 39, 15, 40, 36], { count: 6, median: 37.5, lowerQuartile: 20.25, upperQuartile: 39.75 }],
  [[null, 5, Number.NaN], { count: 1, median: 5, lowerQuartile: 5, upperQuartile: 5 }],
  [[null, null], null],
])('summarizes %j', (values, summary) => {
  expect(summarizeRepeats(values)).toEqual(summary);
});

test('marks every value that equals the best', () => {
  expect(markBest([3, null, 1, 1, Number.NaN], 'least')).toEqual([false, false, true, true, false]);
  expect(markBest([3, null, 1, 1], 'greatest')).toEqual([true, false, false, false]);
  expect(markBest([null, null], 'least')).toEqual([false, false]);
  expect(markBest([453.4, 453.1, 454], 'least', Math.round)).toEqual([true, true, false]);
});
