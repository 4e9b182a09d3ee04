import type { RunMetrics } from '../../shared/contract/runs.ts';

export const noMetrics: RunMetrics = {
  runs: 0,
  failures: 0,
  dollars: null,
  pricedRuns: 0,
  totalMs: null,
  firstOutputMs: null,
  periods: [],
};
