import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDesktop, openDesktop } from '../../electron/launch/open-desktop.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';

const VERSION = '45.4.1';

/** Creates a project with a downloaded Electron whose binary runs `source`. */
function projectWith(source: string): string {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules', 'electron');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: VERSION }));
  writeFileSync(join(folder, 'path.txt'), 'electron');
  writeFileSync(join(folder, 'dist', 'version'), VERSION);
  writeFileSync(join(folder, 'dist', 'electron'), `#!${process.execPath}\n${source}`);
  chmodSync(join(folder, 'dist', 'electron'), 0o755);
  return root;
}

async function open(source: string) {
  const log: string[] = [];
  const outcome = await openDesktop({
    root: projectWith(source),
    environment: process.env,
    key: null,
    insists: false,
    log: (line) => log.push(line),
    now: Date.now,
  });
  return { outcome, log };
}

describe('opening the desktop', () => {
  it('exits with the code of a desktop that was used', async () => {
    expect(await open("console.log('gatehouse: ready'); process.exitCode = 4")).toEqual({
      outcome: { state: 'over', code: 4 },
      log: [],
    });
  });

  it('reports why nothing can start, and tries no other host', async () => {
    const source =
      "console.log('gatehouse: can’t start: The folder is in use. Close it.'); process.exitCode = 1";
    expect(await open(source)).toEqual({
      outcome: { state: 'over', code: 1 },
      log: ['Gatehouse can’t start: The folder is in use. Close it.'],
    });
  });

  it('falls back to the browser if the page never appears, and reports why', async () => {
    const source = "console.log('gatehouse: no window: its page crashed: oom')";
    expect(await open(source)).toEqual({
      outcome: {
        state: 'unavailable',
        reason: 'Electron couldn’t open a window (its page crashed: oom)',
        remedy: null,
      },
      log: [],
    });
  });

  it('explains how to allow a blocked sandbox', async () => {
    const { outcome } = await open("console.error('FATAL: No usable sandbox!'); process.exit(133)");
    expect(outcome).toMatchObject({
      state: 'unavailable',
      reason: "Electron couldn’t open a window (this system blocks Chromium's sandbox)",
      remedy: expect.stringContaining("node_modules/electron/dist/chrome-sandbox'"),
    });
  });

  it('reports that it is already open', async () => {
    expect(await open("console.log('gatehouse: already open')")).toEqual({
      outcome: { state: 'over', code: 0 },
      log: ['Gatehouse is already open. Its window is now in front.'],
    });
  });
});

describe('the desktop’s self-check', () => {
  async function check(source: string | null, limitMs = 10_000) {
    const log: string[] = [];
    const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const root = projectWith(source ?? '');
    if (source === null) rmSync(join(root, 'node_modules', 'electron', 'path.txt'));
    const outcome = await checkDesktop({
      root,
      environment,
      limitMs,
      log: (line) => log.push(line),
    });
    return { outcome, log };
  }

  it('runs the binary’s self-check, and exits with its code', async () => {
    const isAsked = "process.argv.at(-1) === '--self-check' && !process.env.ELECTRON_RUN_AS_NODE";
    const { outcome } = await check(`process.exit(${isAsked} ? 7 : 1)`);
    expect(outcome).toEqual({ state: 'over', code: 7 });
  });

  it('gives up if the binary hangs', async () => {
    expect(await check('setInterval(() => {}, 1000)', 300)).toEqual({
      outcome: { state: 'over', code: 1 },
      log: ['The self-check didn’t finish within 0.3 seconds.'],
    });
  });

  it('downloads no binary', async () => {
    const { outcome } = await check(null);
    expect(outcome).toMatchObject({
      state: 'unavailable',
      reason: 'The Electron binary isn’t installed',
    });
  });
});
