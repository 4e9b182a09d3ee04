/** The key of the environment is in the environment of nothing that Gatehouse starts. */
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

/** A program that writes down the environment it was given, and then does the rest. */
function spy(folder: string, name: string, rest = ''): () => string {
  mkdirSync(folder, { recursive: true });
  const seen = join(folder, 'seen.json');
  const path = join(folder, name);
  const write = `require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));`;
  writeFileSync(path, `#!${process.execPath}\n${write}${rest}`);
  chmodSync(path, 0o755);
  return () => (existsSync(seen) ? readFileSync(seen, 'utf8') : '');
}

it('is not in that of the browser, which the browser host opens', async () => {
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

it('is not in that of Electron, which the launcher starts', async () => {
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

it("is not in that of main's own process, and is used all the same", async () => {
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
