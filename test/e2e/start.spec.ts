import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';

const noDisplay = { DISPLAY: '', WAYLAND_DISPLAY: '' };
const launch = 'electron/launch.ts';

test.beforeEach(({ hostKind }) => {
  test.skip(hostKind === 'desktop', 'It starts hosts itself.');
});

test('says in one line why it takes the browser host', async ({ home, startHost }) => {
  const host = await startHost({ home, entry: launch, environment: noDisplay });
  expect(host.output().trim().split('\n')).toEqual([
    expect.stringMatching(/^There is no display here .*, so Gatehouse runs in the browser\.$/),
    host.address,
  ]);
  expect(await host.stop()).toBe(0);
});

test('takes the browser host when Electron ends before its window is there', async ({
  home,
  startHost,
}) => {
  const folder = join(home, 'electron');
  mkdirSync(folder);
  const binary = join(folder, 'electron');
  writeFileSync(
    binary,
    '#!/bin/sh\necho "error while loading shared libraries: libgtk-3.so.0" >&2\nexit 127\n',
  );
  chmodSync(binary, 0o755);
  const host = await startHost({
    home,
    entry: launch,
    environment: { ELECTRON_OVERRIDE_DIST_PATH: folder },
    args: ['--desktop'],
  });
  expect(host.output()).toContain('this system lacks the library libgtk-3.so.0');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`ends cleanly and at once on ${signal}, also with a page open`, async ({ host, app }) => {
    await expect(app.getByRole('link', { name: 'Chat' })).toBeVisible();
    const started = performance.now();
    expect(await host.stop(signal)).toBe(0);
    expect(performance.now() - started).toBeLessThan(1000);
  });
}

test('prints a fresh address for Enter, and keeps running when its input ends', async ({
  home,
  app,
  startHost,
}) => {
  const host = await startHost({ home: join(home, 'second') });
  const page = await app.context().newPage();
  await page.goto(host.address);
  await expect(page.getByRole('link', { name: 'Chat' })).toBeVisible();

  await page.context().clearCookies();
  const used = await page.goto(host.address);
  expect(used?.status()).toBe(401);
  await expect(page.getByText('Press Enter in the terminal')).toBeVisible();

  const fresh = await host.freshAddress();
  host.endInput();
  await page.goto(fresh);
  await expect(page.getByRole('link', { name: 'Chat' })).toBeVisible();
});

test('tells a second start that the data folder is in use', async ({ home, host, startHost }) => {
  expect(host.address).not.toBe('');
  await expect(startHost({ home })).rejects.toThrow(
    'Another Gatehouse is already using this data folder.',
  );
});

test('refuses a port that was asked for and is taken', async ({ home, host, startHost }) => {
  const { port } = new URL(host.address);
  const again = startHost({ home: join(home, 'second'), args: ['--port', port] });
  await expect(again).rejects.toThrow(`Port ${port} is taken.`);
});

test('breaks no rule of its own content policy', async ({ app }) => {
  const violations: string[] = [];
  app.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
  await app.reload();
  for (const panel of ['Completion', 'Settings', 'Chat']) {
    await app.getByRole('link', { name: panel }).click();
    await expect(app.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(violations).toEqual([]);
});

test('serves the sources with hot reload in npm run dev', async ({ home, app, startHost }) => {
  const host = await startHost({
    home: join(home, 'dev'),
    entry: 'electron/dev.ts',
    environment: noDisplay,
  });
  const page = await app.context().newPage();
  const connected = page.waitForEvent(
    'console',
    (message) => message.text() === '[vite] connected.',
  );
  await page.goto(host.address);
  await connected;
  await expect(page.getByRole('link', { name: 'Chat' })).toBeVisible();
});
