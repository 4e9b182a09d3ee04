import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import type { WorkerOptions } from './test/e2e/fixtures/app.ts';
import { TEST_MS, WAIT_MS } from './test/fixtures/patience.ts';

type Selection = Pick<
  PlaywrightTestConfig<object, WorkerOptions>,
  'testMatch' | 'testIgnore' | 'outputDir' | 'workers'
>;

/** Selects files by GATEHOUSE_TESTS. Without it, `npx playwright test FILE` runs any file. */
const selections: Record<string, Selection> = {
  quick: {
    testIgnore: ['*.rest.spec.ts', '*.alone.spec.ts'],
    outputDir: '.test/e2e-quick',
    // One worker shares Chromium and the process of the hosts between all tests.
    workers: 1,
  },
  rest: { testMatch: '*.rest.spec.ts', outputDir: '.test/e2e-rest' },
  alone: { testMatch: '*.alone.spec.ts', outputDir: '.test/e2e-alone', workers: 1 },
};

export default defineConfig<object, WorkerOptions>({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  outputDir: '.test/e2e',
  globalSetup: './test/e2e/fixtures/build-first.ts',
  forbidOnly: Boolean(process.env.CI),
  timeout: TEST_MS,
  expect: { timeout: WAIT_MS },
  // A CI machine that stalls for seconds must not fail the run.
  retries: process.env.CI ? 2 : 0,
  fullyParallel: true,
  // Tests wait for streams and polls half of the time, so three workers keep two cores busy.
  workers: 3,
  reporter: 'list',
  // Tracing more than doubles a test's time; `--trace on` records one on demand.
  use: { trace: 'on-first-retry', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', use: { hostKind: 'browser' } },
    { name: 'desktop', use: { hostKind: 'desktop' } },
  ],
  ...readSelection(process.env.GATEHOUSE_TESTS),
});

function readSelection(name = ''): Selection {
  if (name === '') return {};
  const selection = selections[name];
  if (selection !== undefined) return selection;
  throw new Error(`GATEHOUSE_TESTS is ${name}, but must be quick, rest or alone.`);
}
