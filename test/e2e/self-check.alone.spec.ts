import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/self-check.ts';

test("prints one JSON document with all checks passed, without touching the user's data", async ({
  folder,
  checkSelf,
}) => {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const { printed, warned, code, touched } = await checkSelf(temporary);
  const report = JSON.parse(printed);
  expect(report.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  expect(report).toMatchObject({ ok: true, host: 'browser', versions: { electron: null } });
  expect(report.checks.length).toBeGreaterThan(10);
  expect(report.took).toBeLessThan(10_000);
  expect([code, touched, readdirSync(temporary)]).toEqual([0, false, []]);
  expect(warned).not.toContain('top-level await');
});
