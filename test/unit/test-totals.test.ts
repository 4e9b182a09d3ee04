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

it('adds up the reports of vitest and Playwright', () => {
  const unit = vitestTotals({
    numPassedTests: 10,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
  });
  const stats = { expected: 6, unexpected: 0, flaky: 0, skipped: 4 };
  const e2e = playwrightTotals({ stats, suites: [] });
  expect(totalsLine(add(unit, e2e))).toBe('16 passed, 1 failed, 7 skipped');
});

it('names tests that passed only on a retry', () => {
  const passed = { title: 'is steady', tests: [{ status: 'expected' }] };
  const retried = { title: 'is shaky', tests: [{ status: 'skipped' }, { status: 'flaky' }] };
  const group = { title: 'in a group', specs: [retried] };
  const e2e = playwrightTotals({
    stats: { expected: 1, unexpected: 0, flaky: 2, skipped: 1 },
    suites: [{ title: 'stop.spec.ts', specs: [passed, retried], suites: [group] }],
  });
  expect(totalsLine(add(noTests, e2e))).toBe(
    '3 passed, 0 failed, 1 skipped; flaky, passed only on a retry: ' +
      'stop.spec.ts › is shaky; stop.spec.ts › in a group › is shaky',
  );
});

it('counts a runner that failed without any failed test', () => {
  const passed = { ...noTests, passed: 3 };
  expect(withCommand(passed, false)).toEqual({ ...passed, failed: 1 });
  expect(withCommand({ ...noTests, failed: 2 }, false)).toEqual({ ...noTests, failed: 2 });
  expect(withCommand(passed, true)).toEqual(passed);
});

it('counts no tests if the report is missing', () => {
  expect(readTotals('/nowhere/report.json', vitestTotals)).toEqual(noTests);
});
