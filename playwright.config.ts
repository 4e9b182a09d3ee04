import { defineConfig } from '@playwright/test';
import type { HostOptions } from './test/e2e/fixtures/app.ts';

export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  outputDir: '.test/e2e',
  globalSetup: './test/e2e/fixtures/build-first.ts',
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Where nobody looks on, a machine that stood still for seconds must not decide.
  retries: process.env.CI ? 2 : 0,
  // Some specs measure time, and the machines that run them are small.
  workers: 1,
  reporter: 'list',
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', use: { hostKind: 'browser' } },
    { name: 'desktop', use: { hostKind: 'desktop' } },
  ],
});
