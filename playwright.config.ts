import { defineConfig } from '@playwright/test';
import type { HostOptions } from './test/e2e/fixtures/app.ts';

export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  outputDir: '.test/e2e',
  globalSetup: './test/e2e/fixtures/build-first.ts',
  forbidOnly: Boolean(process.env.CI),
  timeout: 45_000,
  // Some specs measure time, and the machines that run them are small.
  workers: 1,
  reporter: 'list',
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', use: { hostKind: 'browser' } },
    { name: 'desktop', use: { hostKind: 'desktop' } },
  ],
});
