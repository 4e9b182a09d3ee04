import { defineConfig } from '@playwright/test';
import type { WorkerOptions } from '../e2e/fixtures/app.ts';
import { WAIT_MS } from '../fixtures/patience.ts';

/** Runs benchmarks one at a time. Use an idle machine. */
export default defineConfig<object, WorkerOptions>({
  testDir: '.',
  testMatch: '*.bench.ts',
  outputDir: '../../.test/bench',
  globalSetup: ['./harness/install-peers.ts', '../e2e/fixtures/build-first.ts'],
  timeout: 900_000,
  expect: { timeout: WAIT_MS },
  workers: 1,
  reporter: [['list'], ['./harness/table-reporter.ts']],
  use: { hostKind: 'browser', trace: 'off' },
});
