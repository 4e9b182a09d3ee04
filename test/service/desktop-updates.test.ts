/** Updates the packaged desktop through the contract, with a stand-in for electron-updater. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { StandInUpdater } from '../fixtures/electron/app-updater.ts';
import { startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { type Api, connect } from '../fixtures/electron/page.ts';
import type { StandIn } from '../fixtures/electron/stand-in.ts';

const FEED = 'https://updates.example.com/gatehouse';

/** The stand-in's resources are in this folder. */
const mounted = { APPDIR: '/nowhere', APPIMAGE: '/opt/g.AppImage' };

async function startPackaged(environment: NodeJS.ProcessEnv = mounted) {
  const load = vi.fn<() => void>();
  let electron: StandIn | undefined;
  const updater = new StandInUpdater('1.2.3', () => electron?.app.quit());
  const desktop = await startApplication({
    environment,
    loadUpdater: async () => {
      load();
      return updater;
    },
    prepare(standIn) {
      electron = standIn;
      standIn.app.isPackaged = true;
    },
  });
  const { api } = await connect(desktop);
  return { api, desktop, load, updater };
}

const state = async (api: Api) => (await api.updates.status()).update;
const becomes = (api: Api, expected: object) =>
  vi.waitFor(async () => expect(await state(api)).toMatchObject(expected));

async function startWithOffer() {
  const started = await startPackaged();
  await started.api.settings.update({ updateFeedUrl: FEED });
  await started.api.updates.check();
  await becomes(started.api, { state: 'available', version: '2.0.0' });
  return started;
}

test('doesn’t load the updater until a feed is set', async () => {
  const { api, load } = await startPackaged();
  expect(await api.updates.status()).toEqual({
    currentVersion: '1.2.3',
    update: { state: 'off' },
  });
  await api.updates.check();
  expect(await state(api)).toEqual({ state: 'off' });
  await api.settings.update({ updateFeedUrl: FEED });
  expect(await state(api)).toEqual({ state: 'unchecked' });
  expect(load).not.toHaveBeenCalled();
});

test('doesn’t check for updates in a development build, and explains why', async () => {
  const { api } = await connect(await startApplication());
  await api.settings.update({ updateFeedUrl: FEED });
  await api.updates.check();
  expect(await state(api)).toEqual({
    state: 'unavailable',
    reason: 'This is a development build. Update it with Git.',
  });
});

test.each([
  'http://updates.example.com',
  'ftp://updates.example.com',
  'https://me:secret@updates.example.com',
  'updates',
])('rejects a feed at %s', async (updateFeedUrl) => {
  const { api } = await startPackaged();
  await expect(api.settings.update({ updateFeedUrl })).rejects.toThrow('Input validation failed');
  expect(await state(api)).toEqual({ state: 'off' });
});

test('finds, downloads and installs a newer version, and starts it, each on request', async () => {
  const { api, desktop, updater } = await startWithOffer();
  const folder = temporaryFolder();
  updater.renamedTo = join(folder, 'g-2.0.0.AppImage');
  const script = `#!/bin/sh\necho "$0 $APPDIR" > '${join(folder, 'started')}'\n`;
  writeFileSync(updater.renamedTo, script, { mode: 0o755 });
  expect(updater.feed).toEqual({ provider: 'generic', url: FEED });
  expect(updater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: false });
  expect(updater.requestHeaders).toEqual({ 'x-user-staging-id': 'none' });

  await api.updates.download();
  expect(await state(api)).toMatchObject({ state: 'downloading', totalBytes: null });
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updater.receive(25, 100);
  expect(await state(api)).toMatchObject({ receivedBytes: 25, totalBytes: 100 });
  updater.finishDownload();
  await becomes(api, { state: 'downloaded', version: '2.0.0' });
  expect(updater.listenerCount('download-progress')).toBe(0);
  expect(updater.installed).not.toHaveBeenCalled();

  await api.updates.install();
  expect(await desktop.electron.app.exited).toBe(0);
  expect(updater.installed).toHaveBeenCalledExactlyOnceWith(true, false);
  await vi.waitFor(() =>
    expect(readFileSync(join(folder, 'started'), 'utf8')).toBe(`${updater.renamedTo} \n`),
  );
});

test('doesn’t take the AppImage of another program, such as a terminal, for its own', async () => {
  const { api } = await startPackaged({
    APPDIR: '/tmp/.mount_term',
    APPIMAGE: '/opt/term.AppImage',
  });
  expect(await state(api)).toMatchObject({ state: 'unavailable' });
});

test('doesn’t install an update while a file is being saved', async () => {
  const { api, desktop, updater } = await startWithOffer();
  await api.updates.download();
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updater.finishDownload();
  await becomes(api, { state: 'downloaded' });
  const item = desktop.electron.session.defaultSession.download('app://gatehouse/media/a', 'a', 9);
  await expect(api.updates.install()).rejects.toThrow('A file is still being saved.');
  item.cancel();
});

test('explains an unreadable feed, and retries on request', async () => {
  const { api, updater } = await startPackaged();
  updater.offered = null;
  await api.settings.update({ updateFeedUrl: FEED });
  await api.updates.check();
  await becomes(api, {
    state: 'failed',
    version: null,
    error: {
      message: 'Gatehouse couldn’t check for updates.',
      detail: 'HttpError: 404 latest-linux.yml',
    },
  });
  updater.offered = '2.0.0';
  await api.updates.check();
  await becomes(api, { state: 'available' });
});

test('downloads again after a broken download', async () => {
  const { api, updater } = await startWithOffer();
  await api.updates.download();
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updater.failDownload('sha512 checksum mismatch');
  await becomes(api, { state: 'failed', error: { detail: 'sha512 checksum mismatch' } });
  await api.updates.download();
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updater.finishDownload();
  await becomes(api, { state: 'downloaded' });
});

test('keeps running if an update can’t be installed', async () => {
  const { api, desktop, updater } = await startWithOffer();
  await api.updates.download();
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updater.finishDownload();
  await becomes(api, { state: 'downloaded' });
  updater.installProblem = 'Code signature did not pass validation';
  await api.updates.install();
  await becomes(api, {
    state: 'failed',
    error: { message: 'Gatehouse 2.0.0 couldn’t be installed.' },
  });
  expect(desktop.electron.app.exitCode).toBeNull();
});

test('drops an offered version when the feed changes', async () => {
  const { api, updater } = await startWithOffer();
  await api.updates.download();
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  await api.settings.update({ updateFeedUrl: 'https://other.example.com' });
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(0));
  expect(await state(api)).toEqual({ state: 'unchecked' });
  await api.settings.update({ updateFeedUrl: null });
  expect(await state(api)).toEqual({ state: 'off' });
});

test('offers the version of a feed that was set during a check', async () => {
  const { api, updater } = await startPackaged();
  const other = 'https://other.example.com';
  updater.elsewhere.set(other, '3.0.0');
  const checks = vi.spyOn(updater, 'checkForUpdates');
  const slow = Promise.withResolvers<void>();
  updater.answers = slow.promise;
  for (const updateFeedUrl of [FEED, 'https://mistyped.example.com', other]) {
    await api.settings.update({ updateFeedUrl });
    await api.updates.check();
    await vi.waitFor(() => expect(updater.feed).toMatchObject({ url: FEED }));
  }
  slow.resolve();
  await becomes(api, { state: 'available', version: '3.0.0' });
  expect(updater.feed).toMatchObject({ url: other });
  expect(checks).toHaveBeenCalledTimes(2);
});
