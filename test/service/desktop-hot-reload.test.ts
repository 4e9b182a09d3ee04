/** Checks that `npm run dev` hot-reloads a page that Vite serves at another address. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startViteServer } from '../../electron/dev/vite-page.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { chromiumArgs, findChromium } from '../scripts/chromium.ts';

/** The page's origin. Chromium has no `app:` scheme. */
const PAGE = 'http://gatehouse';
/** A feature that Electron disables too (`shell/browser/feature_list.cc`). */
const AS_IN_ELECTRON = '--disable-features=LocalNetworkAccessChecks';

function writeSource(root: string, text: string): void {
  writeFileSync(
    join(root, 'text.js'),
    `export const show = () => { document.querySelector('p').textContent = ${JSON.stringify(text)}; };
     import.meta.hot.accept((next) => next.show());`,
  );
}

test('applies a change to the open page without a reload', async () => {
  const root = temporaryFolder();
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><p></p><script type="module">import { show } from "/text.js"; show();</script>',
  );
  writeSource(root, 'first');
  const vite = await startViteServer({ root, cacheDir: join(root, '.vite') });
  onTestFinished(() => vite.close());
  const { electron } = await startApplication({ page: { devUrl: vite.url } });

  const executablePath = findChromium();
  if (executablePath === null) throw new Error('There is no Chromium');
  const args = [...chromiumArgs, AS_IN_ELECTRON];
  const browser = await chromium.launch({ executablePath, args });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const console: string[] = [];
  page.on('console', (message) => console.push(message.text()));
  await page.route(`${PAGE}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const response = await electron.protocol.load(`app://gatehouse${pathname}${search}`);
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });

  await page.goto(`${PAGE}/`);
  await expect.poll(() => page.textContent('p')).toBe('first');
  await expect.poll(() => console.join('\n')).toContain('[vite] connected.');
  await page.evaluate('window.stayed = true');
  writeSource(root, 'second');
  await expect.poll(() => page.textContent('p')).toBe('second');
  expect(await page.evaluate('window.stayed')).toBe(true);
  expect(console.join('\n')).not.toContain('Content Security Policy');
});
