import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { test } from './fixtures/app.ts';
import { builtHost } from './fixtures/browser-host-process.ts';

interface Checked {
  printed: string;
  warned: string;
  code: number | null;
  /** True if the user's data folder was created. */
  touched: boolean;
}

/** Runs the self-check. `temporary` replaces the system's temporary folder. */
async function checkSelf(folder: string, temporary: string): Promise<Checked> {
  const home = join(folder, 'data');
  const env = { ...process.env, GATEHOUSE_HOME: home, TMPDIR: temporary };
  const child = spawn(process.execPath, [builtHost, '--self-check'], { env });
  const [printed, warned, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { printed, warned, code, touched: existsSync(home) };
}

let folder = '';
test.beforeEach(({ hostKind }) => {
  test.skip(hostKind !== 'browser', 'It is a process of the browser host.');
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-spec-'));
});
test.afterEach(() => removeFolder(folder));

test("prints one JSON document with all checks passed, without touching the user's data", {
  tag: '@alone',
}, async () => {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const { printed, warned, code, touched } = await checkSelf(folder, temporary);
  const report = JSON.parse(printed);
  expect(report.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  expect(report).toMatchObject({ ok: true, host: 'browser', versions: { electron: null } });
  expect(report.checks.length).toBeGreaterThan(10);
  expect(report.took).toBeLessThan(10_000);
  expect([code, touched, readdirSync(temporary)]).toEqual([0, false, []]);
  expect(warned).not.toContain('top-level await');
});

test('reports a read-only system and exits with 1', async () => {
  const { printed, code, touched } = await checkSelf(folder, join(folder, 'nowhere'));
  expect([code, touched]).toEqual([1, false]);
  const report = JSON.parse(printed);
  expect(report.ok).toBe(false);
  expect(report.checks[0]).toMatchObject({ name: 'services', ok: false });
  expect(report.checks[0].detail).toContain('nowhere');
});
