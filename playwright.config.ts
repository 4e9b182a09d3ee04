import { defineConfig } from '@playwright/test';
import type { WorkerOptions } from './test/e2e/fixtures/app.ts';
import { TEST_MS, WAIT_MS } from './test/fixtures/patience.ts';

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
});
