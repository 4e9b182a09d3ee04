import { expect, test, vi } from 'vitest';
import { READY_LINE } from '../../electron/launch/status-lines.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import {
  type Desktop,
  onlyWindow,
  press,
  startApplication,
} from '../fixtures/electron/desktop-under-test.ts';
import { type HeldGateway, startHeldGateway } from '../fixtures/electron/held-gateway.ts';
import { connect, startChat } from '../fixtures/electron/page.ts';
import type { StandIn } from '../fixtures/electron/stand-in.ts';

interface Busy {
  desktop: Desktop;
  gateway: HeldGateway;
  runId: string;
}

/** A window, and a run that continues until the test ends it. */
async function busyDesktop(
  platform: NodeJS.Platform = 'linux',
  prepare: (electron: StandIn) => void = () => undefined,
): Promise<Busy> {
  const gateway = await startHeldGateway();
  const desktop = await startApplication({
    platform,
    prepare,
    environment: { GATEHOUSE_BASE_URL: gateway.baseUrl, GATEHOUSE_API_KEY: 'sk-closing-12345' },
  });
  const { api } = await connect(desktop);
  const runId = await startChat(api, 'environment', 'any', 'Hello');
  await vi.waitFor(() => expect(gateway.answering()).toBe(1));
  gateway.say('so far ');
  await vi.waitFor(async () => {
    const { view } = await api.runs.get({ id: runId });
    expect(JSON.stringify(view.state)).toContain('so far ');
  });
  return { desktop, gateway, runId };
}

/** The page has begun to record. Returns what sends the next second. */
async function record(desktop: Desktop): Promise<() => Promise<void>> {
  const { electron } = desktop;
  await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
  const at = 'app://gatehouse/media';
  const begun = await electron.protocol.load(`${at}?name=a.wav&type=audio/wav&role=recording`, {
    method: 'POST',
  });
  expect(begun.status).toBeLessThan(300);
  const { id } = await begun.json();
  let offset = 0;
  return async () => {
    const body = new ArrayBuffer(100);
    await electron.protocol.load(`${at}/${id}?offset=${offset}`, { method: 'PUT', body });
    offset += 100;
  };
}

async function closeAndAnswer({ electron }: Desktop, button: string): Promise<void> {
  electron.BrowserWindow.opened.at(-1)?.close();
  await vi.waitFor(() => expect(electron.dialog.questions).toHaveLength(1));
  electron.dialog.questions.pop()?.answer(button);
}

/** Reads the run in a new process's view of the folder. */
async function recorded(home: string, runId: string) {
  const { openStorage } = await import('../../electron/storage/database.ts');
  const storage = openStorage({ home, now: Date.now });
  try {
    const ledger = createLedger(storage);
    const { events } = ledger.events(runId, { after: 0, limit: 100, kinds: null });
    return { status: ledger.run(runId)?.status, events: JSON.stringify(events) };
  } finally {
    await storage.close();
  }
}

test('closing the last window without runs ends it, and frees the data folder', async () => {
  const { electron, home } = await startApplication();
  electron.BrowserWindow.opened[0]?.close();
  expect(await electron.app.exited).toBe(0);
  expect(electron.dialog.questions).toEqual([]);
  expect(await recorded(home, 'none')).toMatchObject({ status: undefined });
});

test('closing with a run in progress asks once, however often one closes', async () => {
  const { desktop } = await busyDesktop();
  const { questions } = desktop.electron.dialog;
  const window = onlyWindow(desktop);
  window.close();
  window.close();
  await vi.waitFor(() => expect(questions).toHaveLength(1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(questions).toHaveLength(1);
  expect(questions[0]?.options).toMatchObject({
    message: '1 chat is in progress.',
    detail:
      'Gatehouse can finish the chat in the background and notify you. Quitting stops the chat and keeps any partial result.',
    buttons: ['Keep running in the background', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  });
  expect(window.isDestroyed()).toBe(false);
});

test('"Cancel" leaves all as it was, and asks again the next time', async () => {
  const { desktop, gateway } = await busyDesktop();
  await closeAndAnswer(desktop, 'Cancel');
  await closeAndAnswer(desktop, 'Cancel');
  expect(onlyWindow(desktop).isDestroyed()).toBe(false);
  expect(gateway.answering()).toBe(1);
});

test('"Quit" stops the run and keeps the partial result', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  await closeAndAnswer(desktop, 'Quit');
  expect(await desktop.electron.app.exited).toBe(0);
  await vi.waitFor(() => expect(gateway.answering()).toBe(0));
  const { status, events } = await recorded(desktop.home, runId);
  expect(status).toBe('interrupted');
  expect(events).toContain('so far ');
});

test('"Keep running in the background" continues without a window, notifies, and then ends', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  const { app, BrowserWindow, Notification } = desktop.electron;
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  expect(app.exitCode).toBeNull();
  expect(gateway.answering()).toBe(1);
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

test('starting Gatehouse again brings back the window of a run in the background', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  const { app, BrowserWindow } = desktop.electron;
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  app.startAgain();
  expect(BrowserWindow.opened).toHaveLength(2);
  const { api } = await connect(desktop);
  gateway.finish();
  await vi.waitFor(async () => {
    expect((await api.runs.get({ id: runId })).view.status).toBe('succeeded');
  });
  expect(app.exitCode).toBeNull();
  expect(desktop.printed).toEqual([READY_LINE]);
});

test('macOS keeps the application when its window is closed, and opens it from the dock', async () => {
  const desktop = await startApplication({ platform: 'darwin' });
  const { app, BrowserWindow } = desktop.electron;
  BrowserWindow.opened[0]?.close();
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  expect(app.exitCode).toBeNull();
  app.emit('activate');
  expect(onlyWindow(desktop)).toBe(BrowserWindow.opened[1]);
});

test('quitting asks nothing, writes what arrived at once, and opens no window on the way', async () => {
  const { desktop, runId } = await busyDesktop();
  const { app, BrowserWindow, dialog } = desktop.electron;
  // All windows are gone and the services are closing: a start at this moment comes too late.
  app.once('will-quit', () => app.startAgain());
  app.quit();
  app.quit();
  expect(await app.exited).toBe(0);
  expect(dialog.questions).toEqual([]);
  expect(BrowserWindow.opened).toHaveLength(1);
  expect((await recorded(desktop.home, runId)).status).toBe('interrupted');
  expect(desktop.log).toEqual([]);
});

test('notifies of a run that ends behind the window, not of one that ends in front', async () => {
  const { desktop, gateway, runId } = await busyDesktop();
  const { api } = await connect(desktop);
  const { Notification } = desktop.electron;
  const window = onlyWindow(desktop);
  gateway.finish();
  // The gateway is done before main has read the end: blurred in between, the first run would notify.
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

type Untold = [how: string, platform: NodeJS.Platform, prepare: (electron: StandIn) => void];

function refuse({ Notification }: StandIn): void {
  Notification.outcome = 'failed';
}

const untold: Untold[] = [
  [
    'has none',
    'linux',
    ({ Notification }) => {
      Notification.supported = false;
    },
  ],
  ['refuses it', 'linux', refuse],
  ['refuses it', 'darwin', refuse],
  // It says that it shows one.
  ['lacks the shortcut', 'win32', () => undefined],
];

const NOTICE = {
  level: 'info',
  message: 'any finished.',
  nextStep: 'See History for the result.',
};

test.each(untold)(
  'shows a notice until it is seen if the system %s (%s)',
  async (_how, platform, prepare) => {
    const { desktop, gateway } = await busyDesktop(platform, prepare);
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
    expect(desktop.electron.BrowserWindow.opened).toHaveLength(1);
  },
);

test.each(untold.filter(([, platform]) => platform !== 'darwin'))(
  'opens the window again after the last run if the system %s (%s)',
  async (_how, platform, prepare) => {
    const { desktop, gateway } = await busyDesktop(platform, prepare);
    const { app, BrowserWindow } = desktop.electron;
    await closeAndAnswer(desktop, 'Keep running in the background');
    await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
    gateway.finish();
    await vi.waitFor(() => expect(BrowserWindow.opened).toHaveLength(2));
    const { api } = await connect(desktop);
    expect((await api.system.info()).notices).toMatchObject([NOTICE]);
    expect(app.exitCode).toBeNull();
    // One that goes before it was shown has said nothing, and is opened again.
    await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
    onlyWindow(desktop).close();
    expect(await app.exited).toBe(0);
  },
);

test('macOS says at the next window that a run ended without one, and opens none by itself', async () => {
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

test('quitting by the menu asks as closing does, and "Quit" stops the run', async () => {
  const { desktop, runId } = await busyDesktop();
  const { app, dialog, Menu } = desktop.electron;
  press(Menu.current, 'Quit');
  press(Menu.current, 'Quit');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(dialog.questions[0]?.options.buttons).toEqual([
    'Keep running in the background',
    'Quit',
    'Cancel',
  ]);
  dialog.questions.pop()?.answer('Quit');
  expect(await app.exited).toBe(0);
  expect((await recorded(desktop.home, runId)).status).toBe('interrupted');
});

test('shows a tray item with Open and Quit for a run in the background', async () => {
  const { desktop, gateway } = await busyDesktop();
  const { Tray, BrowserWindow, app } = desktop.electron;
  expect(Tray.shown).toEqual([]);
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  expect(Tray.shown[0]?.toolTip).toBe('Gatehouse: 1 chat is in progress.');
  expect(Tray.shown[0]?.items[0]).toMatchObject({
    label: '1 chat is in progress.',
    enabled: false,
  });
  press(Tray.shown[0]?.items ?? [], 'Open Gatehouse');
  expect(BrowserWindow.opened).toHaveLength(2);
  expect(Tray.shown).toEqual([]);
  gateway.finish();
  expect(app.exitCode).toBeNull();
});

test('Quit in the tray asks in a new window, which closes if the run continues', async () => {
  const { desktop, gateway } = await busyDesktop();
  const { Tray, dialog, BrowserWindow, app } = desktop.electron;
  await closeAndAnswer(desktop, 'Keep running in the background');
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  press(Tray.shown[0]?.items ?? [], 'Quit');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(BrowserWindow.opened).toHaveLength(2);
  dialog.questions.pop()?.answer('Keep running in the background');
  await vi.waitFor(() => expect(Tray.shown).toHaveLength(1));
  expect(BrowserWindow.opened[1]?.isDestroyed()).toBe(true);
  expect(gateway.answering()).toBe(1);
  press(Tray.shown[0]?.items ?? [], 'Quit');
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

test('keeps the system awake while a reply arrives, and no longer', async () => {
  const { desktop, gateway } = await busyDesktop();
  const { blocking } = desktop.electron.powerSaveBlocker;
  expect(blocking.size).toBe(1);
  gateway.finish();
  await vi.waitFor(() => expect(blocking.size).toBe(0));
});

test('macOS closes the window over its runs without a question, and quits with one', async () => {
  const { desktop, gateway } = await busyDesktop('darwin');
  const { app, dialog, BrowserWindow, Menu, Tray } = desktop.electron;
  onlyWindow(desktop).close();
  await vi.waitFor(() => expect(BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  expect(dialog.questions).toEqual([]);
  expect(gateway.answering()).toBe(1);
  expect(Tray.shown).toHaveLength(1);
  press(Menu.current, 'Quit Gatehouse');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(dialog.questions[0]?.options.message).toBe('1 chat is in progress.');
  dialog.questions.pop()?.answer('Quit');
  expect(await app.exited).toBe(0);
});

test('closing over a recording asks, and says that it is kept', async () => {
  const desktop = await startApplication();
  const { app, dialog } = desktop.electron;
  await record(desktop);
  onlyWindow(desktop).close();
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(dialog.questions[0]?.options).toMatchObject({
    message: 'A recording is in progress.',
    detail: 'Recording stops. What you’ve recorded is kept.',
    buttons: ['Quit', 'Cancel'],
  });
  dialog.questions.pop()?.answer('Quit');
  expect(await app.exited).toBe(0);
});

test('macOS asks before a window with a recording is closed, and not again about what went with it', async () => {
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

test('ends a recording whose page is reloaded', async () => {
  const desktop = await startApplication();
  const { app, dialog, Menu } = desktop.electron;
  await record(desktop);
  const { api, closed } = await connect(desktop);
  await api.system.info();
  onlyWindow(desktop).webContents.reload();
  await closed;
  await (await connect(desktop)).api.system.info();
  press(Menu.current, 'Quit');
  expect(await app.exited).toBe(0);
  expect(dialog.questions).toEqual([]);
});

test('keeps a recording whose page reconnects', async () => {
  const desktop = await startApplication();
  const { dialog, Menu } = desktop.electron;
  const more = await record(desktop);
  const { api, closed, port } = await connect(desktop);
  await api.system.info();
  port.close();
  await closed;
  await (await connect(desktop)).api.system.info();
  await more();
  press(Menu.current, 'Quit');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(dialog.questions[0]?.options.message).toBe('A recording is in progress.');
});
