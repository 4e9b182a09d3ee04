import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { READY_LINE } from '../../electron/launch/status-lines.ts';
import {
  busyDesktop,
  closeAndAnswer,
  record,
  recorded,
} from '../fixtures/electron/busy-desktop.ts';
import { onlyWindow, press, startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { connect, startChat } from '../fixtures/electron/page.ts';
import type { StandIn } from '../fixtures/electron/stand-in.ts';

test('reopens the window of a background run from the tray or at the next start', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  const { app, BrowserWindow, Tray } = desktop.electron;
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  Tray.shown[0]?.press('Open Gatehouse');
  expect(BrowserWindow.opened).toHaveLength(2);
  await vi.waitFor(() => expect(Tray.shown).toEqual([]));
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(BrowserWindow.opened[1]?.isDestroyed()).toBe(true));
  app.startAgain();
  expect(BrowserWindow.opened).toHaveLength(3);
  const { api } = await connect(desktop);
  gateway.finish();
  await vi.waitFor(async () => {
    expect((await api.runs.get({ id: runId })).view.status).toBe('succeeded');
  });
  expect(app.exitCode).toBeNull();
  expect(desktop.printed).toEqual([READY_LINE]);
});

test('stays open on macOS without a window, and opens one from the Dock', async () => {
  const desktop = await startApplication({ platform: 'darwin' });
  const { app, BrowserWindow } = desktop.electron;
  BrowserWindow.opened[0]?.close();
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  expect(app.exitCode).toBeNull();
  app.emit('activate');
  expect(onlyWindow(desktop)).toBe(BrowserWindow.opened[1]);
});

type Unshown = [how: string, platform: NodeJS.Platform, prepare: (electron: StandIn) => void];

function refuse({ Notification }: StandIn): void {
  Notification.outcome = 'failed';
}

const unshown: Unshown[] = [
  [
    'has none',
    'linux',
    ({ Notification }) => {
      Notification.supported = false;
    },
  ],
  ['refuses it', 'linux', refuse],
  // Without its shortcut, Windows reports success but shows nothing.
  ['lacks the shortcut', 'win32', () => undefined],
];

const NOTICE = {
  level: 'info',
  message: 'any finished.',
  nextStep: 'See History for the result.',
};

test.each(unshown)(
  'keeps a notice until the user sees it if the system %s (%s)',
  async (_how, platform, prepare) => {
    const { desktop, gateway } = await busyDesktop(platform, prepare);
    const { app, BrowserWindow } = desktop.electron;
    const { api } = await connect(desktop);
    const window = onlyWindow(desktop);
    await vi.waitFor(() => expect(window.isFocused()).toBe(true));
    window.blur();
    gateway.finish();
    const notices = async () => (await api.system.info()).notices;
    await vi.waitFor(async () => expect(await notices()).toMatchObject([NOTICE]));
    window.focus();
    expect(await notices()).toMatchObject([NOTICE]);
    window.blur();
    expect(await notices()).toEqual([]);
    expect(BrowserWindow.opened).toHaveLength(1);

    await startChat(api, 'environment', 'any', 'Hello');
    await vi.waitFor(() => expect(gateway.answering()).toBe(1));
    await closeAndAnswer(desktop, 'Keep running in the background');
    await vi.waitFor(() => expect(window.isDestroyed()).toBe(true));
    gateway.say('Hello');
    gateway.finish();
    await vi.waitFor(() => expect(BrowserWindow.opened).toHaveLength(2));
    const next = await connect(desktop);
    expect((await next.api.system.info()).notices).toMatchObject([NOTICE]);
    expect(app.exitCode).toBeNull();
    // The application opens a window again if it closed before it was shown.
    await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
    onlyWindow(desktop).close();
    expect(await app.exited).toBe(0);
  },
);

test('shows the notice in the next window on macOS, without opening one', async () => {
  const { desktop, gateway } = await busyDesktop('darwin', refuse);
  const { app, BrowserWindow, Notification } = desktop.electron;
  onlyWindow(desktop).close();
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  gateway.finish();
  await vi.waitFor(() => expect(Notification.shown).toHaveLength(1));
  await vi.waitFor(() => expect(desktop.log.join()).toContain('no notification'));
  expect(BrowserWindow.opened).toHaveLength(1);
  app.emit('activate');
  const { api } = await connect(desktop);
  expect((await api.system.info()).notices).toMatchObject([NOTICE]);
});

test('asks in a new window if the user quits from the tray, and closes it if the run continues', async () => {
  const { desktop, gateway } = await busyDesktop();
  const { Tray, dialog, BrowserWindow, app } = desktop.electron;
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  Tray.shown[0]?.press('Quit');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(BrowserWindow.opened).toHaveLength(2);
  dialog.questions.pop()?.answer('Keep running in the background');
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  expect(BrowserWindow.opened[1]?.isDestroyed()).toBe(true);
  expect(gateway.answering()).toBe(1);
  Tray.shown[0]?.press('Quit');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  dialog.questions.pop()?.answer('Quit');
  expect(await app.exited).toBe(0);
});

test('continues runs in the background on a desktop without a tray', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  desktop.electron.Tray.works = false;
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(desktop.log.join()).toContain('no tray item'));
  gateway.finish();
  expect(await desktop.electron.app.exited).toBe(0);
  expect((await recorded(desktop.home, runId)).status).toBe('succeeded');
});

test('closes the window on macOS without asking, and asks before quitting', async () => {
  const { desktop, gateway } = await busyDesktop('darwin');
  const { app, dialog, BrowserWindow, Menu, Tray } = desktop.electron;
  onlyWindow(desktop).close();
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  expect(dialog.questions).toEqual([]);
  expect(gateway.answering()).toBe(1);
  expect(Tray.shown).toHaveLength(1);
  // The click shows the menu, from which the user opens the window.
  Tray.shown[0]?.click();
  expect(BrowserWindow.opened).toHaveLength(1);
  press(Menu.current, 'Quit Gatehouse');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(dialog.questions[0]?.options.message).toBe('1 chat is in progress.');
  dialog.questions.pop()?.answer('Quit');
  expect(await app.exited).toBe(0);
});

test('asks about a recording if its page reconnects, and ends it if the page reloads', async () => {
  const desktop = await startApplication();
  const { app, dialog, Menu } = desktop.electron;
  const more = await record(desktop);
  const { api, closed, port } = await connect(desktop);
  await api.system.info();
  port.close();
  await closed;
  const next = await connect(desktop);
  await next.api.system.info();
  await more();
  onlyWindow(desktop).close();
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(dialog.questions[0]?.options).toMatchObject({
    message: 'A recording is in progress.',
    detail: 'Recording stops. What you’ve recorded is kept.',
    buttons: ['Quit', 'Cancel'],
  });
  dialog.questions.pop()?.answer('Cancel');
  await nextTurn();
  onlyWindow(desktop).webContents.reload();
  await next.closed;
  await (await connect(desktop)).api.system.info();
  press(Menu.current, 'Quit');
  expect(await app.exited).toBe(0);
  expect(dialog.questions).toEqual([]);
});

test('asks before closing a window with a recording on macOS, and not again on quit', async () => {
  const desktop = await startApplication({ platform: 'darwin' });
  const { app, dialog, BrowserWindow, Menu } = desktop.electron;
  await record(desktop);
  await closeAndAnswer(desktop, 'Close window');
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  expect(app.exitCode).toBeNull();
  press(Menu.current, 'Quit Gatehouse');
  expect(await app.exited).toBe(0);
  expect(dialog.questions).toEqual([]);
});
