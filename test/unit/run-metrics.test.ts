import { expect, it } from 'vitest';
import {
  countFailures,
  type MeasuredRun,
  measureRuns,
} from '../../electron/storage/search/run-metrics.ts';

function run(createdAt: number, more: Partial<MeasuredRun> = {}): MeasuredRun {
  const ended = {
    outcome: 'succeeded',
    dollars: null,
    totalMs: null,
    firstOutputMs: null,
  } as const;
  return { createdAt, ...ended, ...more };
}

it('counts outcomes without a usable result as failures', () => {
  const outcomes = ['failed', 'unknown', 'interrupted', 'no-result', 'cancelled', 'running'];
  expect(countFailures(new Map(outcomes.map((outcome, at) => [outcome, at + 1])))).toBe(10);
});

it('measures nothing without runs', () => {
  expect(measureRuns([])).toEqual({ totalMs: null, firstOutputMs: null, periods: [] });
});

it('returns percentiles of runs that succeeded, and p95 from 20 values', () => {
  const few = [30, 10, 20].map((totalMs) => run(0, { totalMs }));
  const failed = run(0, { outcome: 'failed', totalMs: 9000 });
  expect(measureRuns([...few, failed]).totalMs).toEqual({ p50: 20, p95: null, count: 3 });
  const many = Array.from({ length: 20 }, (_, index) => run(0, { firstOutputMs: index + 1 }));
  expect(measureRuns(many).firstOutputMs).toEqual({ p50: 10, p95: 19, count: 20 });
});

it('divides the time from the first run to the last into equal periods', () => {
  const { periods } = measureRuns([run(1000), run(1239, { outcome: 'failed' }), run(1120)]);
  expect(periods).toHaveLength(24);
  expect(periods.filter(({ runs }) => runs > 0)).toEqual([
    { from: 1000, runs: 1, failures: 0 },
    { from: 1120, runs: 1, failures: 0 },
    { from: 1230, runs: 1, failures: 1 },
  ]);
});
