/** Saves files of the page: what the dialog shows, what is left, and what quitting asks. */
import { expect, test, vi } from 'vitest';
import type { BackupStep } from '../../shared/contract/backups.ts';
import { onlyWindow, press, startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';

async function start() {
  const desktop = await startApplication();
  const { api } = await connect(desktop);
  const { session, dialog, app } = desktop.electron;
  const download = (name = 'clip.mp4', bytes = 100) =>
    session.defaultSession.download('app://gatehouse/media/abc?download=', name, bytes);
  await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
  return { api, app, desktop, dialog, download, window: onlyWindow(desktop) };
}

/** Makes a backup whose file starts to arrive, as in Chromium while its Save dialog is open. */
async function startBackup() {
  const { api, desktop, ...others } = await start();
  const steps: BackupStep['stage'][] = [];
  const ready = Promise.withResolvers<Extract<BackupStep, { stage: 'ready' }>>();
  const ended = (async () => {
    for await (const step of await api.backups.create()) {
      if (step.stage === 'ready') ready.resolve(step);
      if (steps.at(-1) !== step.stage) steps.push(step.stage);
    }
  })();
  ended.catch(() => undefined);
  const { id, name, totalBytes } = await ready.promise;
  const url = `app://gatehouse/media/${id}/backup`;
  const response = await desktop.electron.protocol.load(url);
  const item = desktop.electron.session.defaultSession.download(url, name, totalBytes);
  const reader = response.body?.getReader();
  /** Reads the next part of the file; returns false at its end. */
  async function receive(): Promise<boolean> {
    const part = await reader?.read();
    item.receive(part?.value?.byteLength ?? 0);
    return part?.done === false;
  }
  await receive();
  await vi.waitFor(() => expect(steps).toContain('saving'));
  return { ...others, api, desktop, ended, item, receive, steps, totalBytes };
}

/** Reads a backup to its end. */
async function backUp() {
  const backup = await startBackup();
  while (await backup.receive());
  return backup;
}

test('titles the Save dialog, and shows progress once a place was chosen', async () => {
  const { download, window } = await start();
  const item = download();
  expect(item.dialogTitle).toBe('Save File');
  item.receive(50);
  expect(window.progress).toBe(-1);
  item.save('/home/user/clip.mp4');
  item.receive(25);
  expect(window.progress).toBe(0.75);
  const other = download('other', 0);
  expect(window.progress).toBe(0.75);
  other.save('/home/user/other');
  expect(window.progress).toBe(0.75);
  item.receive(1);
  item.complete();
  expect(window.progress).toBe(-1);
});

test('calls a backup saved only when its file is complete', async () => {
  const { item, steps, ended } = await backUp();
  expect(steps).not.toContain('saved');
  item.save('/home/user/backup.tar');
  await ended;
  expect(steps).toEqual(['copying', 'ready', 'saving', 'saved']);
});

test('ends a backup without an error if the user cancels the dialog', async () => {
  const { api, item, steps, ended } = await backUp();
  item.cancel();
  await ended;
  expect(steps).not.toContain('saved');
  expect((await api.system.info()).notices).toEqual([]);
});

test('fails a backup whose disk is full, in Settings only', async () => {
  const { api, item, ended } = await backUp();
  item.fillDisk();
  await expect(ended).rejects.toThrow('The backup wasn’t saved completely.');
  expect(item.getState()).toBe('cancelled');
  expect((await api.system.info()).notices).toEqual([]);
});

test.each(['fillDisk', 'lose'] as const)('names a file that is incomplete: %s', async (end) => {
  const { api, download } = await start();
  download('first.png').cancel();
  expect((await api.system.info()).notices).toEqual([]);
  download()[end]();
  const { notices } = await api.system.info();
  expect(notices).toMatchObject([
    { level: 'danger', message: '“clip.mp4” wasn’t saved completely.' },
  ]);
});

test('asks before quitting deletes a file, which may also be saved in the background', async () => {
  const { app, desktop, dialog, download, window } = await start();
  const item = download();
  item.save('/home/user/clip.mp4');
  press(desktop.electron.Menu.current, 'Quit');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(dialog.questions[0]?.options).toMatchObject({
    message: '1 download is in progress.',
    detail: expect.stringContaining('Quitting deletes the incomplete file.'),
  });
  dialog.questions.pop()?.answer('Keep running in the background');
  await vi.waitFor(() => expect(window.isDestroyed()).toBe(true));
  expect(app.exitCode).toBeNull();
  item.receive(100);
  item.complete();
  expect(await app.exited).toBe(0);
});

/** Starts a backup whose place is known, and closes the window. */
async function backUpInBackground() {
  const backup = await startBackup();
  const { desktop, dialog, item, window } = backup;
  item.save('/home/user/backup.tar');
  expect(window.progress).toBeLessThan(1);
  press(desktop.electron.Menu.current, 'Quit');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  dialog.questions.pop()?.answer('Keep running in the background');
  await vi.waitFor(() => expect(window.isDestroyed()).toBe(true));
  return backup;
}

test('finishes a backup in the background, and notifies the user', async () => {
  const { app, desktop, item, receive, totalBytes, window } = await backUpInBackground();
  // On macOS, the Dock would keep showing the last progress of a window that has closed.
  expect(window.progress).toBe(-1);
  while (await receive());
  expect(item.getReceivedBytes()).toBe(totalBytes);
  item.complete();
  expect(await app.exited).toBe(0);
  expect(desktop.electron.Notification.shown.map(({ options }) => options)).toEqual([
    { title: 'Download finished', body: item.getFilename(), silent: true },
  ]);
});

test('opens the window for a backup that failed in the background', async () => {
  const { app, desktop, item } = await backUpInBackground();
  item.fillDisk();
  await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
  expect(app.exitCode).toBeNull();
  const { api } = await connect(desktop);
  expect((await api.system.info()).notices).toMatchObject([
    { message: `“${item.getFilename()}” wasn’t saved completely.` },
  ]);
});
