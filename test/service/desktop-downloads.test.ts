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

/** Reads a backup to its end, as Chromium does while its Save dialog is open. */
async function backUp() {
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
  const { byteLength } = await response.arrayBuffer();
  item.receive(byteLength);
  await vi.waitFor(() => expect(steps).toContain('saving'));
  return { ...others, api, item, steps, ended };
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
