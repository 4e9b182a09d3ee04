import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { busyDesktop, closeAndAnswer, recorded } from '../fixtures/electron/busy-desktop.ts';
import { onlyWindow, press, startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { connect, startChat } from '../fixtures/electron/page.ts';

test('exits with the last window if nothing is running, and releases the data folder', async () => {
  const { electron, home } = await startApplication();
  electron.BrowserWindow.opened[0]?.close();
  expect(await electron.app.exited).toBe(0);
  expect(electron.dialog.questions).toEqual([]);
  expect(await recorded(home, 'none')).toMatchObject({ status: undefined });
});

const CHOICES = ['Keep running in the background', 'Quit', 'Cancel'];

test('asks once, no matter how often the user closes or quits, until the run stops', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  const { app, dialog, Menu } = desktop.electron;
  const { questions } = dialog;
  const window = onlyWindow(desktop);
  window.close();
  window.close();
  await vi.waitFor(() => expect(questions).toHaveLength(1));
  await nextTurn();
  expect(questions).toHaveLength(1);
  expect(questions[0]?.options).toMatchObject({
    message: '1 chat is in progress.',
    detail:
      'Gatehouse can finish the chat in the background and notify you. Quitting stops the chat and keeps any partial result.',
    buttons: CHOICES,
    defaultId: 0,
    cancelId: 2,
  });
  questions.pop()?.answer('Cancel');
  await nextTurn();
  await closeAndAnswer(desktop, 'Cancel');
  await nextTurn();
  expect(window.isDestroyed()).toBe(false);
  expect(gateway.answering()).toBe(1);
  press(Menu.current, 'Quit');
  press(Menu.current, 'Quit');
  await vi.waitFor(() => expect(questions).toHaveLength(1));
  expect(questions[0]?.options.buttons).toEqual(CHOICES);
  questions.pop()?.answer('Quit');
  expect(await app.exited).toBe(0);
  await vi.waitFor(() => expect(gateway.answering()).toBe(0));
  const { status, events } = await recorded(desktop.home, runId);
  expect(status).toBe('interrupted');
  expect(events).toContain('so far ');
});

test('finishes a run in the background with a tray item, notifies the user, and exits', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  const { app, BrowserWindow, Notification, Tray } = desktop.electron;
  expect(Tray.shown).toEqual([]);
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  expect(app.exitCode).toBeNull();
  expect(gateway.answering()).toBe(1);
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  expect(Tray.shown[0]?.toolTip).toBe('Gatehouse: 1 chat is in progress.');
  expect(Tray.shown[0]?.items[0]).toMatchObject({
    label: '1 chat is in progress.',
    enabled: false,
  });
  gateway.say('and the rest');
  gateway.finish();
  expect(await app.exited).toBe(0);
  expect(Notification.shown.map(({ options }) => options)).toEqual([
    { title: 'any finished', body: 'Hello', silent: true },
  ]);
  const { status, events } = await recorded(desktop.home, runId);
  expect(status).toBe('succeeded');
  expect(events).toContain('and the rest');
});

test('on system shutdown, quits without asking or opening a window, and keeps received data', async () => {
  const { desktop, runId } = await busyDesktop();
  const { app, BrowserWindow, dialog } = desktop.electron;
  // A new start is too late once all windows are closed and the services are closing.
  app.once('will-quit', () => app.startAgain());
  app.quit();
  app.quit();
  expect(await app.exited).toBe(0);
  expect(dialog.questions).toEqual([]);
  expect(BrowserWindow.opened).toHaveLength(1);
  expect((await recorded(desktop.home, runId)).status).toBe('interrupted');
  expect(desktop.log).toEqual([]);
});

test('notifies the user when a run ends behind the window, and keeps the system awake until then', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  const { api } = await connect(desktop);
  const { Notification, powerSaveBlocker } = desktop.electron;
  const window = onlyWindow(desktop);
  expect(powerSaveBlocker.blocking.size).toBe(1);
  gateway.finish();
  await vi.waitFor(() => expect(powerSaveBlocker.blocking.size).toBe(0));
  // The gateway may finish before the main process has read the end of the response.
  await vi.waitFor(async () => {
    expect((await api.runs.get({ id: runId })).view.status).toBe('succeeded');
  });
  await startChat(api, 'environment', 'behind', 'Hello');
  await vi.waitFor(() => expect(gateway.answering()).toBe(1));
  expect(Notification.shown).toEqual([]);
  window.blur();
  gateway.say('Hello');
  gateway.finish();
  await vi.waitFor(() => expect(Notification.shown).toHaveLength(1));
  expect(Notification.shown[0]?.options.title).toBe('behind finished');
  Notification.shown[0]?.emit('click');
  expect(window.isFocused()).toBe(true);
});

test('opens the window with a click on the tray icon, which is gone afterwards', async () => {
  const { desktop } = await busyDesktop();
  const { BrowserWindow, Tray } = desktop.electron;
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  Tray.shown[0]?.click();
  expect(BrowserWindow.opened).toHaveLength(2);
  await vi.waitFor(() => expect(Tray.shown).toEqual([]));
});
