import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { test } from '../e2e/fixtures/app.ts';
import { startBrowserHostProcess } from '../e2e/fixtures/browser-host-process.ts';
import { openBenchPage } from './harness/bench-page.ts';
import { note } from './harness/figures.ts';
import { traceTasks } from './harness/main-thread.ts';
import { measureEagerScripts } from './harness/page-size.ts';
import { interleave, ratios } from './harness/rounds.ts';

interface Loaded {
  firstPaintMs: number;
  mainThreadMs: number;
}

/** Loads the page in a new context with an empty cache. */
async function load(
  browser: Browser,
  address: string,
  isReady: (page: Page) => Promise<void>,
): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
  const page = await context.newPage();
  const { totalMs } = await traceTasks(page, async () => {
    await page.goto(address);
    await isReady(page);
  });
  const firstPaintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await context.close();
  return { firstPaintMs, mainThreadMs: totalMs };
}

/** Waits until Chat is usable, with a check that costs the page almost nothing. */
async function isInteractive(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const message = document.querySelector('textarea[aria-label="Message"], textarea');
      const connection = document.querySelector('[role=combobox], select');
      return message !== null && connection !== null && !connection.matches(':disabled');
    },
    undefined,
    { polling: 50 },
  );
}

/** Waits until the bare page is usable, with the same check. */
async function isShown(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('p') !== null, undefined, {
    polling: 50,
  });
}

test('measures the JavaScript that the page loads before its first render', async ({}, testInfo) => {
  note(testInfo, 'JavaScript loaded at once, gzipped', measureEagerScripts(), 'kB');
});

test('loads the page', async ({ chromiumProcess, host }, testInfo) => {
  if (chromiumProcess === null) throw new Error('A page needs a browser.');
  const bare = await openBenchPage(chromiumProcess, 'bare-react-page.js');
  const bareUrl = bare.page.url();
  await bare.page.close();
  const { ours, react } = await interleave({
    ours: async () => load(chromiumProcess, await host.freshAddress(), isInteractive),
    react: () => load(chromiumProcess, bareUrl, isShown),
  });
  await bare.close();
  const mainThread = (of: readonly Loaded[]) => of.map(({ mainThreadMs }) => mainThreadMs);
  const firstPaint = (of: readonly Loaded[]) => of.map(({ firstPaintMs }) => firstPaintMs);
  const beside = ratios(mainThread(ours), mainThread(react));
  const what = 'Main thread until it can be used';
  note(testInfo, `${what}, beside a bare React page`, beside, '×', { atMost: 3 });
  note(testInfo, what, mainThread(ours), 'ms');
  const painted = ratios(firstPaint(ours), firstPaint(react));
  note(testInfo, 'First paint, beside a bare React page', painted, '×');
  note(testInfo, 'First paint', firstPaint(ours), 'ms');
});

test('opens a usable page from the built app', async ({ chromiumProcess }, testInfo) => {
  if (chromiumProcess === null) throw new Error('A page needs a browser.');
  const { started } = await interleave({
    async started() {
      const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
      const startedAt = performance.now();
      const entry = 'electron/launch.ts';
      const environment = {
        DISPLAY: '',
        WAYLAND_DISPLAY: '',
        NODE_OPTIONS: '--require ./electron/compile-cache.cjs',
      };
      const host = await startBrowserHostProcess({ home, entry, environment });
      const page = await chromiumProcess.newPage();
      await page.goto(host.address);
      await isInteractive(page);
      const ms = performance.now() - startedAt;
      await page.close();
      await host.stop();
      rmSync(home, { recursive: true, force: true });
      return ms;
    },
  });
  note(testInfo, 'npm start, built, to a page that can be used', started, 'ms', { atMost: 1200 });
});
