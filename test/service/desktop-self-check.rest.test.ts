import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createScratchFolder, removeScratchFolder } from '../../electron/self-check/scratch.ts';
import { type Desktop, freshElectron } from '../fixtures/electron/desktop-under-test.ts';

/** Runs the self-check with `html` as the page, or without a page. */
async function checkDesktop(html: string | null, limitMs = 30_000) {
  const electron = await freshElectron();
  const { checkDesktopHost } = await import('../../electron/desktop/self-check.ts');
  const folder = createScratchFolder();
  onTestFinished(() => removeScratchFolder(folder));
  const page = join(folder, 'page');
  mkdirSync(page);
  if (html !== null) writeFileSync(join(page, 'index.html'), html);
  electron.app.moduleSettled();
  await electron.app.whenReady();
  const log: string[] = [];
  const checking = checkDesktopHost({
    folder,
    version: '1.2.3',
    preload: '/preload.cjs',
    platform: 'linux',
    limitMs,
    page: { folder: page },
    log: (line) => log.push(line),
  });
  await vi.waitFor(() => expect(electron.BrowserWindow.opened).toHaveLength(1));
  onTestFinished(async () => (await checking).close());
  const report = checking.then((checked) => checked.report);
  const desktop: Desktop = {
    electron,
    home: folder,
    log,
    printed: [],
    opened: async () => undefined,
  };
  return { desktop, report, checking, folder };
}

test('reports a missing page, and that its window timed out', async () => {
  const { report } = await checkDesktop(null, 20_000);
  const { ok, checks } = await report;
  expect(ok).toBe(false);
  const failed = checks.filter((check) => !check.ok).map(({ name }) => name);
  expect(failed).toEqual(['page', 'window opens and page connects']);
  expect(checks.at(-1)?.detail).toBe('Timed out after 20 s.');
});
