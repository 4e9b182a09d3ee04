/** Adds up what the test runners report. */
import { readFileSync } from 'node:fs';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

export const noTests: Totals = { passed: 0, failed: 0, skipped: 0 };

export function add(one: Totals, other: Totals): Totals {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
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
  };
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

export function playwrightTotals({ stats }: PlaywrightReport): Totals {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  };
}

/** A command that failed without a failed test (a broken import, a time limit) counts as one. */
export function withCommand(totals: Totals, commandSucceeded: boolean): Totals {
  return commandSucceeded || totals.failed > 0 ? totals : add(totals, { ...noTests, failed: 1 });
}

export function readTotals<Report>(path: string, totalsOf: (report: Report) => Totals): Totals {
  try {
    return totalsOf(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // The runner ended before it could report; its exit code counts.
    return noTests;
  }
}

/** The line that CI reads. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
