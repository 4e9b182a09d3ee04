/** Checks that no process that Gatehouse starts inherits the key in its environment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { exitOf, followHost } from '../e2e/fixtures/browser-host-process.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startMain } from '../fixtures/electron/desktop-under-test.ts';
import { startHeldGateway } from '../fixtures/electron/held-gateway.ts';
import { connect, startChat } from '../fixtures/electron/page.ts';

const KEY = 'sk-environment-canary-1';
const root = join(import.meta.dirname, '../..');

/** Writes a program that records its environment, then runs `rest`. */
function spy(folder: string, name: string, rest = ''): () => string {
  mkdirSync(folder, { recursive: true });
  const seen = join(folder, 'seen.json');
  const path = join(folder, name);
  const write = `require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));`;
  writeFileSync(path, `#!${process.execPath}\n${write}${rest}`);
  chmodSync(path, 0o755);
  return () => (existsSync(seen) ? readFileSync(seen, 'utf8') : '');
}

it('hides the key from the browser that the browser host opens', async () => {
  const home = temporaryFolder();
  const seen = spy(join(home, 'bin'), 'xdg-open');
  const child = spawn(process.execPath, ['electron/browser.ts', '--port', '0'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DISPLAY: ':0',
      GATEHOUSE_HOME: home,
      GATEHOUSE_BASE_URL: 'http://127.0.0.1:9',
      GATEHOUSE_API_KEY: KEY,
      PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
    },
  });
  const host = await followHost(child, exitOf(child));
  onTestFinished(() => host.kill());
  await expect.poll(seen).toContain('GATEHOUSE_BASE_URL');
  expect(seen()).not.toContain(KEY);
});

it('hides the key from the Electron process that the launcher starts', async () => {
  const folder = temporaryFolder();
  const seen = spy(folder, 'electron', "console.log('gatehouse: ready');");
  const launcher = spawn(process.execPath, ['electron/launch.ts', '--desktop'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder, GATEHOUSE_API_KEY: KEY },
  });
  expect(await once(launcher, 'exit')).toEqual([0, null]);
  expect(seen()).toContain('GATEHOUSE_KEY_FROM');
  expect(seen()).not.toContain(KEY);
});

it("hides the key in the main process's own environment, but still uses it", async () => {
  const gateway = await startHeldGateway();
  vi.stubEnv('GATEHOUSE_BASE_URL', gateway.baseUrl);
  vi.stubEnv('GATEHOUSE_API_KEY', KEY);
  const desktop = await startMain();
  expect(process.env.GATEHOUSE_API_KEY).toBeUndefined();
  await desktop.opened();
  const { api } = await connect(desktop);
  await startChat(api, 'environment', 'any', 'Hello');
  await expect.poll(() => gateway.authorizations).toEqual([`Bearer ${KEY}`]);
});
