/** Adds up the test runners' reports, and finds the command that repeats each failure. */
import { readFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests that passed only after a retry, which count as passed. */
  flaky: string[];
  /** A shell command for each failed test. */
  repeats: string[];
}

export const noTests: Totals = { passed: 0, failed: 0, skipped: 0, flaky: [], repeats: [] };

export function add(one: Totals, other: Totals): Totals {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    flaky: [...one.flaky, ...other.flaky],
    repeats: [...one.repeats, ...other.repeats],
  };
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: VitestFile[];
}

interface VitestFile {
  /** The absolute path. */
  name: string;
  status: string;
  /** Empty if the file could not be loaded. */
  assertionResults: { fullName: string; status: string }[];
}

export function vitestTotals(report: VitestReport): Totals {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    // Vitest retries no tests here.
    flaky: [],
    repeats: report.testResults.flatMap(repeatVitest),
  };
}

function repeatVitest({ name, status, assertionResults }: VitestFile): string[] {
  if (status !== 'failed') return [];
  const file = relative(process.cwd(), name);
  // A project is named like the folder of its files.
  const command = `npx vitest run --project ${basename(dirname(file))} ${file}`;
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return [command];
  return failed.map(({ fullName }) => `${command} -t ${quote(escapePattern(fullName))}`);
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  /** The name of the file or group. */
  title: string;
  suites?: PlaywrightSuite[];
  specs: PlaywrightSpec[];
}

interface PlaywrightSpec {
  title: string;
  /** The path in the folder of all specs. */
  file: string;
  line: number;
  tests: { status: string; projectName: string }[];
}

export function playwrightTotals({ stats, suites }: PlaywrightReport): Totals {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    flaky: suites.flatMap((suite) => flakyIn(suite, [])),
    repeats: suites.flatMap(repeatPlaywright),
  };
}

function flakyIn({ title, suites = [], specs }: PlaywrightSuite, above: string[]): string[] {
  const path = [...above, title];
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map((spec) => [...path, spec.title].join(' › '));
  return [...own, ...suites.flatMap((suite) => flakyIn(suite, path))];
}

function repeatPlaywright({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(
        ({ projectName }) =>
          `npx playwright test --project=${projectName} test/e2e/${file}:${line}`,
      ),
  );
  return [...own, ...suites.flatMap(repeatPlaywright)];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Quotes `text` for a shell if it needs to be. */
export function quote(text: string): string {
  if (/^[\w.=/-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Counts one failure if a command failed without a failed test, as after a broken import or
 * timeout. `repeat` is the command itself.
 */
export function withCommand(totals: Totals, commandSucceeded: boolean, repeat: string): Totals {
  if (commandSucceeded || totals.failed > 0) return totals;
  return add(totals, { ...noTests, failed: 1, repeats: totals.repeats.length > 0 ? [] : [repeat] });
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
