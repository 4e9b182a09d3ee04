/** Adds up the test runners' reports. */
import { readFileSync } from 'node:fs';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests that passed only after a retry, which count as passed. */
  flaky: string[];
}

export const noTests: Totals = { passed: 0, failed: 0, skipped: 0, flaky: [] };

export function add(one: Totals, other: Totals): Totals {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    flaky: [...one.flaky, ...other.flaky],
  };
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}

export function vitestTotals(report: VitestReport): Totals {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    // Vitest retries no tests here.
    flaky: [],
  };
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  /** The name of the file or group. */
  title: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { status: string }[] }[];
}

export function playwrightTotals({ stats, suites }: PlaywrightReport): Totals {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    flaky: suites.flatMap((suite) => flakyIn(suite, [])),
  };
}

function flakyIn({ title, suites = [], specs }: PlaywrightSuite, above: string[]): string[] {
  const path = [...above, title];
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map((spec) => [...path, spec.title].join(' › '));
  return [...own, ...suites.flatMap((suite) => flakyIn(suite, path))];
}

/**
 * Counts one failure if a command failed without a failed test, as after a broken import or
 * timeout.
 */
export function withCommand(totals: Totals, commandSucceeded: boolean): Totals {
  return commandSucceeded || totals.failed > 0 ? totals : add(totals, { ...noTests, failed: 1 });
}

export function readTotals<Report>(path: string, totalsOf: (report: Report) => Totals): Totals {
  try {
    return totalsOf(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Without a report, only the runner's exit code counts.
    return noTests;
  }
}

/** Formats the totals for CI. */
export function totalsLine({ passed, failed, skipped, flaky }: Totals): string {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  if (flaky.length === 0) return counts;
  return `${counts}; flaky, passed only on a retry: ${flaky.join('; ')}`;
}
