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
  const e2e = playwrightTotals({ stats: { expected: 5, unexpected: 0, flaky: 1, skipped: 4 } });
  expect(totalsLine(add(unit, e2e))).toBe('16 passed, 1 failed, 7 skipped');
});

it('counts a runner that failed without a failed test', () => {
  expect(withCommand({ ...noTests, passed: 3 }, false)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
  });
  expect(withCommand({ ...noTests, failed: 2 }, false)).toEqual({ ...noTests, failed: 2 });
  expect(withCommand({ ...noTests, passed: 3 }, true)).toEqual({ ...noTests, passed: 3 });
});

it('takes a missing report for no tests', () => {
  expect(readTotals('/nowhere/report.json', vitestTotals)).toEqual(noTests);
});
