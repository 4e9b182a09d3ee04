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
  // Where nobody looks on, a machine that stood still for seconds must not decide.
  retries: process.env.CI ? 2 : 0,
  fullyParallel: true,
  // They wait for streams and polls at their real pace about half of the time: three keep two cores busy.
  workers: 3,
  reporter: 'list',
  // Recording a trace takes more than half of a test's time: `--trace on` records one on demand.
  use: { trace: 'on-first-retry', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', use: { hostKind: 'browser' } },
    { name: 'desktop', use: { hostKind: 'desktop' } },
  ],
});
