/** Computes the metrics of the runs that a filter matches. */
import type { Percentiles, RunMetrics } from '../../../shared/contract/runs.ts';
import type { RunOutcome } from '../../../shared/run.ts';

export interface MeasuredRun {
  /** Unix milliseconds. */
  createdAt: number;
  /** A run's outcome as stored. */
  outcome: string;
  totalMs: number | null;
  firstOutputMs: number | null;
}

const MAX_PERIODS = 24;
/** With fewer values, the 95th percentile is only the slowest one. */
const MIN_FOR_P95 = 20;

/** Measures times; the runs may be a sample. */
export function measureRuns(
  runs: readonly MeasuredRun[],
): Pick<RunMetrics, 'totalMs' | 'firstOutputMs' | 'periods'> {
  const succeeded = runs.filter(({ outcome }) => outcome === 'succeeded');
  return {
    totalMs: getPercentiles(succeeded.flatMap(({ totalMs }) => totalMs ?? [])),
    firstOutputMs: getPercentiles(succeeded.flatMap(({ firstOutputMs }) => firstOutputMs ?? [])),
    periods: countByPeriod(runs),
  };
}

const failures: ReadonlySet<string> = new Set<RunOutcome>([
  'failed',
  'interrupted',
  'unknown',
  'no-result',
]);

/** Counts runs of outcomes that users see as failures. */
export function countFailures(counts: ReadonlyMap<string, number>): number {
  return [...counts].reduce(
    (sum, [outcome, count]) => sum + (failures.has(outcome) ? count : 0),
    0,
  );
}

function isFailure({ outcome }: MeasuredRun): boolean {
  return failures.has(outcome);
}

/** Uses the nearest rank. */
function getPercentiles(values: readonly number[]): Percentiles | null {
  const sorted = values.map((value) => Math.max(0, value)).sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  if (sorted.length === 0) return null;
  const p95 = sorted.length < MIN_FOR_P95 ? null : rank(0.95);
  return { p50: rank(0.5), p95, count: sorted.length };
}

function countByPeriod(runs: readonly MeasuredRun[]): RunMetrics['periods'] {
  const first = runs.reduce((least, { createdAt }) => Math.min(least, createdAt), Infinity);
  const last = runs.reduce((most, { createdAt }) => Math.max(most, createdAt), first);
  if (runs.length === 0) return [];
  const length = Math.max(1, (last - first + 1) / MAX_PERIODS);
  const periods = Array.from({ length: MAX_PERIODS }, (_, index) => ({
    from: first + index * length,
    runs: 0,
    failures: 0,
  }));
  for (const run of runs) {
    const period = periods[Math.min(MAX_PERIODS - 1, Math.floor((run.createdAt - first) / length))];
    if (period === undefined) continue;
    period.runs += 1;
    if (isFailure(run)) period.failures += 1;
  }
  return periods;
}
