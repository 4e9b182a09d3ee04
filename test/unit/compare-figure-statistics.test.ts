import { expect, test } from 'vitest';
import { markBest, summarizeRepeats } from '../../renderer/run/compare/figures-table.ts';

test('median and quartiles are those of the examples in https://en.wikipedia.org/wiki/Quartile', () => {
  expect(summarizeRepeats([6, 7, 15, 36, 39, 40, 41, 42, 43, 47, 49])).toEqual({
    count: 11,
    median: 40,
    lowerQuartile: 25.5,
    upperQuartile: 42.5,
    spread: 17,
    least: 6,
    greatest: 49,
  });
});

test('quartiles are between two repeats where type 7 places them', () => {
  // Places 1.25 and 3.75 of 0 to 5: 15 + 0.25 × 21 and 39 + 0.75 × 1.
  expect(summarizeRepeats([41, 7, 39, 15, 40, 36])).toMatchObject({
    median: 37.5,
    lowerQuartile: 20.25,
    upperQuartile: 39.75,
  });
});

test('a repeat without the figure does not count', () => {
  expect(summarizeRepeats([null, 5, Number.NaN])).toMatchObject({ count: 1, median: 5, spread: 0 });
  expect(summarizeRepeats([null, null])).toBeNull();
  expect(summarizeRepeats([])).toBeNull();
});

test('marks the best and all that are as good', () => {
  expect(markBest([3, null, 1, 1, Number.NaN], 'least')).toEqual([false, false, true, true, false]);
  expect(markBest([3, null, 1, 1], 'greatest')).toEqual([true, false, false, false]);
  expect(markBest([null, null], 'least')).toEqual([false, false]);
  expect(markBest([], 'greatest')).toEqual([]);
});
