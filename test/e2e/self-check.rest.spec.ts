import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/self-check.ts';

test('reports a read-only system and exits with 1', async ({ folder, checkSelf }) => {
  const { printed, code, touched } = await checkSelf(join(folder, 'nowhere'));
  expect([code, touched]).toEqual([1, false]);
  const report = JSON.parse(printed);
  expect(report.ok).toBe(false);
  expect(report.checks[0]).toMatchObject({ name: 'services', ok: false });
  expect(report.checks[0].detail).toContain('nowhere');
});
