/** Computes percentiles, but only of enough samples. */
import type { LoadPercentiles, TargetPercentile } from '../check.ts';

/** With fewer samples, the percentile would be only one of the slowest ones. */
export const MIN_SAMPLES: Record<TargetPercentile, number> = { 50: 1, 90: 10, 95: 20, 99: 100 };

/** Returns the nearest rank of sorted values; null if there are none. */
export function getPercentile(sorted: readonly number[], percentile: number): number | null {
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? null;
}

/** Returns null for an empty list; p95 needs 20 values and p99 needs 100. */
export function getPercentiles(values: readonly number[]): LoadPercentiles | null {
  const sorted = values.toSorted((one, other) => one - other);
  const count = sorted.length;
  const rank = (percentile: TargetPercentile) => getPercentile(sorted, percentile);
  const [p50, p90, max] = [rank(50), rank(90), getPercentile(sorted, 100)];
  if (p50 === null || p90 === null || max === null) return null;
  return {
    count,
    p50,
    p90,
    p95: count < MIN_SAMPLES[95] ? null : rank(95),
    p99: count < MIN_SAMPLES[99] ? null : rank(99),
    max,
  };
}
