import { expect, it } from 'vitest';
import {
  add,
  noTests,
  playwrightTotals,
  readTotals,
  totalsLine,
  vitestTotals,
  withCommand,
} from '../scripts/test-totals.ts';

it('adds up what vitest and Playwright report', () => {
  const unit = vitestTotals({
    numPassedTests: 10,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
  });
  const e2e = playwrightTotals({
    stats: { expected: 6, unexpected: 0, flaky: 0, skipped: 4 },
    suites: [],
  });
  expect(totalsLine(add(unit, e2e))).toBe('16 passed, 1 failed, 7 skipped');
});

it('names what passed only on a retry', () => {
  const passed = { title: 'is steady', tests: [{ status: 'expected' }] };
  const retried = { title: 'is shaky', tests: [{ status: 'skipped' }, { status: 'flaky' }] };
  const e2e = playwrightTotals({
    stats: { expected: 1, unexpected: 0, flaky: 2, skipped: 1 },
    suites: [
      {
        title: 'stop.spec.ts',
        specs: [passed, retried],
        suites: [{ title: 'in a group', specs: [retried] }],
      },
    ],
  });
  expect(totalsLine(add(noTests, e2e))).toBe(
    '3 passed, 0 failed, 1 skipped; flaky, passed only on a retry: ' +
      'stop.spec.ts › is shaky; stop.spec.ts › in a group › is shaky',
  );
});

it('counts a runner that failed without a failed test', () => {
  expect(withCommand({ ...noTests, passed: 3 }, false)).toEqual({
    ...noTests,
    passed: 3,
    failed: 1,
  });
  expect(withCommand({ ...noTests, failed: 2 }, false)).toEqual({ ...noTests, failed: 2 });
  expect(withCommand({ ...noTests, passed: 3 }, true)).toEqual({ ...noTests, passed: 3 });
});

it('takes a missing report for no tests', () => {
  expect(readTotals('/nowhere/report.json', vitestTotals)).toEqual(noTests);
});
