import { resolve } from 'node:path';
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

const fourteenTests = {
  numPassedTests: 10,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [],
};

it('adds up the reports of vitest and Playwright', () => {
  const unit = vitestTotals(fourteenTests);
  const stats = { expected: 6, unexpected: 0, flaky: 0, skipped: 4 };
  const e2e = playwrightTotals({ stats, suites: [] });
  expect(totalsLine(add(unit, e2e))).toBe('16 passed, 1 failed, 7 skipped');
});

it('names tests that passed only on a retry', () => {
  const spec = { file: 'stop.spec.ts', line: 3 };
  const projectName = 'browser';
  const passed = { ...spec, title: 'is steady', tests: [{ status: 'expected', projectName }] };
  const retried = {
    ...spec,
    title: 'is shaky',
    tests: [
      { status: 'skipped', projectName: 'desktop' },
      { status: 'flaky', projectName },
    ],
  };
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

it('prints the command that repeats a failed test', () => {
  const unit = vitestTotals({
    ...fourteenTests,
    testResults: [
      {
        name: resolve('test/unit/patch.test.ts'),
        status: 'failed',
        assertionResults: [
          { fullName: "diff keeps a child's identity (twice)", status: 'failed' },
          { fullName: 'diff copies nothing', status: 'passed' },
        ],
      },
      { name: resolve('test/page/form.test.ts'), status: 'failed', assertionResults: [] },
      { name: resolve('test/page/undo.test.ts'), status: 'passed', assertionResults: [] },
    ],
  });
  const failed = {
    title: 'stops',
    file: 'stop.spec.ts',
    line: 12,
    tests: [{ status: 'unexpected', projectName: 'browser' }],
  };
  const e2e = playwrightTotals({
    stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 },
    suites: [{ title: 'stop.spec.ts', specs: [], suites: [{ title: 'group', specs: [failed] }] }],
  });
  expect(add(unit, e2e).repeats).toEqual([
    "npx vitest run --project unit test/unit/patch.test.ts -t 'diff keeps a child'\\''s identity \\(twice\\)'",
    'npx vitest run --project page test/page/form.test.ts',
    'npx playwright test --project=browser test/e2e/stop.spec.ts:12',
  ]);
});

it('counts a runner that failed without any failed test', () => {
  const passed = { ...noTests, passed: 3 };
  expect(withCommand(passed, false, 'npm run check')).toEqual({
    ...passed,
    failed: 1,
    repeats: ['npm run check'],
  });
  expect(withCommand({ ...noTests, failed: 2 }, false, '')).toEqual({ ...noTests, failed: 2 });
  expect(withCommand(passed, true, '')).toEqual(passed);
});

it('counts no tests if the report is missing', () => {
  expect(readTotals('/nowhere/report.json', vitestTotals)).toEqual(noTests);
});
