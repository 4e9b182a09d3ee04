import { expect, test } from 'vitest';
import { markBest, summarizeRepeats } from '../../renderer/run/compare/figures-table.ts';

test('median and quartiles match https://en.wikipedia.org/wiki/Quartile', () => {
  expect(summarizeRepeats([6, 7, 15, 36, 39, 40, 41, 42, 43, 47, 49])).toEqual({
    ...{ count: 11, median: 40, lowerQuartile: 25.5, upperQuartile: 42.5 },
  });
  expect(summarizeRepeats([41, 7, 39, 15, 40, 36])).toMatchObject({
    ...{ median: 37.5, lowerQuartile: 20.25, upperQuartile: 39.75 },
  });
  expect(summarizeRepeats([null, 5, Number.NaN])).toMatchObject({ count: 1, median: 5 });
  expect(summarizeRepeats([null, null])).toBeNull();
});

test('marks every value that equals the best', () => {
  expect(markBest([3, null, 1, 1, Number.NaN], 'least')).toEqual([false, false, true, true, false]);
  expect(markBest([3, null, 1, 1], 'greatest')).toEqual([true, false, false, false]);
  expect(markBest([null, null], 'least')).toEqual([false, false]);
});
