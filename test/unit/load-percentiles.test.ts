/** Checks the percentiles of a load, and from how many samples they are shown. */
import { expect, it } from 'vitest';
import { getPercentiles } from '../../shared/checks/load/percentiles.ts';

const countTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

it.each([
  [1, { count: 1, p50: 1, p90: 1, p95: null, p99: null, max: 1 }],
  [4, { count: 4, p50: 2, p90: 4, p95: null, p99: null, max: 4 }],
  [19, { count: 19, p50: 10, p90: 18, p95: null, p99: null, max: 19 }],
  [20, { count: 20, p50: 10, p90: 18, p95: 19, p99: null, max: 20 }],
  [99, { count: 99, p50: 50, p90: 90, p95: 95, p99: null, max: 99 }],
  [100, { count: 100, p50: 50, p90: 90, p95: 95, p99: 99, max: 100 }],
  [1000, { count: 1000, p50: 500, p90: 900, p95: 950, p99: 990, max: 1000 }],
])('ranks %i values', (count, percentiles) => {
  expect(getPercentiles(countTo(count))).toEqual(percentiles);
});

it('returns null without values', () => {
  expect(getPercentiles([])).toBeNull();
});
