import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createScratchFolder, removeScratchFolder } from '../../electron/self-check/scratch.ts';
import { type Desktop, freshElectron } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';

/** Runs the self-check with `html` as the page, or without a page. */
async function checkDesktop(html: string | null, limitMs = 120_000) {
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

const html = '<!doctype html><div id="root"></div>';

test('passes if the window is shown and its page connects', async () => {
  const { desktop, report, checking, folder } = await checkDesktop(html);
  await connect(desktop);
  const { ok, host, checks } = await report;
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect([ok, host]).toEqual([true, 'desktop']);
  expect([checks[0]?.name, checks.at(-1)?.name]).toEqual([
    'services',
    'window opens and page connects',
  ]);
  await (await checking).close();
  const [window] = desktop.electron.BrowserWindow.opened;
  expect(window?.isDestroyed()).toBe(true);
  removeScratchFolder(folder);
  expect(existsSync(folder)).toBe(false);
});
