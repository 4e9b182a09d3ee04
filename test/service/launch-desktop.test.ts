import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ElectronPackage, findElectron } from '../../electron/launch/electron-binary.ts';
import { launchDesktop } from '../../electron/launch/launch-desktop.ts';
import { makeLaunchFolders } from '../fixtures/launch-folder.ts';

const { path: getRoot, start } = makeLaunchFolders();

describe('starting the desktop', () => {
  it('waits for the ready line, then for the exit', async () => {
    const outcome = await start(
      "console.log('gatehouse: ready'); setTimeout(() => process.exit(7), 20)",
    );
    expect(outcome.state).toBe('ready');
    expect(outcome.state === 'ready' && (await outcome.ended)).toBe(7);
  });

  it('reports why it exited before the ready line', async () => {
    const outcome = await start(
      "console.error('electron: error while loading shared libraries: libgbm.so.1: no'); process.exit(127)",
    );
    expect(outcome).toEqual({
      state: 'failed',
      reason: 'libgbm.so.1 isn’t installed',
      remedy: null,
    });
  });

  it('waits as long as the startup error dialog is open', async () => {
    const dismissed = join(getRoot(), 'dismissed');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const outcome = await start(
      `console.log('gatehouse: can’t start: The folder is in use.');
       setInterval(() => require('node:fs').existsSync(${JSON.stringify(dismissed)}) && process.exit(1), 20);`,
    );
    expect(outcome).toMatchObject({ state: 'cannot-start', reason: 'The folder is in use.' });
    vi.advanceTimersByTime(3_600_000);
    writeFileSync(dismissed, '');
    expect(outcome.state === 'cannot-start' && (await outcome.ended)).toBe(1);
  });

  it('detects that Gatehouse is already open', async () => {
    expect(await start("console.log('gatehouse: already open')")).toEqual({
      state: 'already-open',
    });
  });

  it('reports a binary that can’t be run', async () => {
    const outcome = await launchDesktop({
      binary: join(getRoot(), 'nothing'),
      root: getRoot(),
      environment: {},
      key: null,
      platform: 'linux',
      readyMs: 1000,
      quitMs: 1000,
    });
    expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining('ENOENT') });
  });

  it('passes only the project, and never runs as plain Node.js', async () => {
    const source =
      'process.stderr.write(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE ?? null]))';
    const outcome = await start(source);
    const said = JSON.stringify([[getRoot()], null]);
    expect(outcome).toMatchObject({ state: 'failed', reason: `it exited with code 0: ${said}` });
  });
});

describe('finding the binary', () => {
  let electron: ElectronPackage;
  beforeEach(() => {
    electron = { folder: join(getRoot(), 'electron'), version: '45.4.1' };
    mkdirSync(electron.folder);
  });

  function fetched(version: string): void {
    mkdirSync(join(electron.folder, 'dist'));
    writeFileSync(join(electron.folder, 'dist/version'), version);
    writeFileSync(join(electron.folder, 'dist/electron'), '');
    writeFileSync(join(electron.folder, 'path.txt'), 'electron');
  }

  it('finds a binary of the required version', () => {
    fetched('45.4.1');
    expect(findElectron(electron, {})).toBe(join(electron.folder, 'dist/electron'));
  });

  it('ignores another version and one that was never downloaded', () => {
    expect(findElectron(electron, {})).toBeNull();
    fetched('45.4.0');
    expect(findElectron(electron, {})).toBeNull();
  });

  it('uses the folder in ELECTRON_OVERRIDE_DIST_PATH', () => {
    const folder = join(getRoot(), 'elsewhere');
    mkdirSync(folder);
    expect(findElectron(electron, { ELECTRON_OVERRIDE_DIST_PATH: folder })).toBeNull();
    writeFileSync(join(folder, 'electron'), '');
    expect(findElectron(electron, { ELECTRON_OVERRIDE_DIST_PATH: folder })).toBe(
      join(folder, 'electron'),
    );
  });
});
