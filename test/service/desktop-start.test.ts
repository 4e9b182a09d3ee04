/** Covers startup until the window is shown and its page has connected. */
import { expect, test, vi } from 'vitest';
import { CLOSED_LINE, READY_LINE } from '../../electron/launch/status-lines.ts';
import { onlyWindow, startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';
import type { StandIn } from '../fixtures/electron/stand-in.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

const NO_WINDOW = /^gatehouse: no window: (.+)$/;

function breakLoading({ protocol }: StandIn): void {
  protocol.load = async () => {
    throw new Error('the handler threw');
  };
}

test('shows the window once the page has loaded, even if it never becomes ready to show', async () => {
  const desktop = await startApplication({
    prepare: ({ BrowserWindow }) => {
      BrowserWindow.paintsWhileHidden = false;
    },
  });
  await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
});

test('shows the window after two seconds if its page takes longer', async () => {
  const timer = manualTimer();
  const desktop = await startApplication({
    timer,
    prepare: ({ protocol }) => {
      protocol.load = () => new Promise(() => undefined);
    },
  });
  const window = onlyWindow(desktop);
  timer.advance(1_999);
  expect(window.isVisible()).toBe(false);
  timer.advance(1);
  expect(window.isVisible()).toBe(true);
  expect(desktop.printed).toEqual([]);
});

test('reports readiness once, when the window is shown and the page has connected', async () => {
  const desktop = await startApplication();
  await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
  expect(desktop.printed).toEqual([]);
  const { api } = await connect(desktop);
  await api.system.info();
  expect(desktop.printed).toEqual([READY_LINE]);
  onlyWindow(desktop).webContents.reload();
  await (await connect(desktop)).api.system.info();
  expect(desktop.printed).toEqual([READY_LINE]);
});

test('tells its launcher why the page failed to load, and exits without a dialog', async () => {
  const desktop = await startApplication({ prepare: breakLoading });
  expect(await desktop.electron.app.exited).toBe(0);
  expect(desktop.printed).toEqual([
    "gatehouse: no window: its page couldn’t be loaded: ERR_FAILED (-2) loading 'app://gatehouse/'",
  ]);
  expect(desktop.electron.dialog.errors).toEqual([]);
});

test('shows the load error in a dialog if no launcher is listening', async () => {
  const desktop = await startApplication({
    prepare: (electron) => {
      electron.app.isPackaged = true;
      breakLoading(electron);
    },
  });
  expect(await desktop.electron.app.exited).toBe(1);
  const [box, ...more] = desktop.electron.dialog.errors;
  expect(box?.content).toContain('The Gatehouse window couldn’t be opened.');
  expect(box?.content).toContain('ERR_FAILED (-2)');
  expect(more).toEqual([]);
});

test.each<[string, RegExp, (contents: ReturnType<typeof onlyWindow>['webContents']) => void]>([
  [
    'its preload script fails',
    /preload script failed: no require$/,
    (c) => c.failPreload('no require'),
  ],
  [
    'it keeps crashing',
    /its page crashed: launch-failed$/,
    (contents) => {
      contents.crash('launch-failed');
      contents.crash('launch-failed');
    },
  ],
])('doesn’t become ready if %s', async (_when, reason, happen) => {
  const desktop = await startApplication({
    prepare: ({ protocol }) => {
      protocol.load = () => new Promise(() => undefined);
    },
  });
  happen(onlyWindow(desktop).webContents);
  await desktop.electron.app.exited;
  expect(desktop.printed).toHaveLength(1);
  expect(NO_WINDOW.exec(desktop.printed[0] ?? '')?.[1]).toMatch(reason);
});

test('reports no failure if the user closes the window before its page connects', async () => {
  const desktop = await startApplication();
  onlyWindow(desktop).close();
  expect(await desktop.electron.app.exited).toBe(0);
  expect(desktop.printed).toEqual([CLOSED_LINE]);
});

test('keeps its runs if the page can’t be reloaded', async () => {
  const desktop = await startApplication();
  await (await connect(desktop)).api.system.info();
  await vi.waitFor(() => expect(desktop.printed).toEqual([READY_LINE]));
  breakLoading(desktop.electron);
  onlyWindow(desktop).webContents.reload();
  await vi.waitFor(() =>
    expect(desktop.log.join()).toContain('the window: its page couldn’t be loaded: ERR_FAILED'),
  );
  expect(desktop.printed).toEqual([READY_LINE]);
  expect(desktop.electron.app.exitCode).toBeNull();
});

const SANDBOX_OFF = 'Chromium’s sandbox is off because your system blocks it.';
const AS_ROOT = 'Gatehouse is running as root without Chromium’s sandbox.';

test.each([
  ['its AppImage left it out', false, true, [SANDBOX_OFF]],
  ['root turned it off', true, true, [AS_ROOT]],
  ['it is on', false, false, []],
])("reports Chromium's sandbox only if it is off: %s", async (_who, isRoot, isOff, said) => {
  const desktop = await startApplication({
    isRoot,
    prepare({ app }) {
      if (isOff) app.switches.add('no-sandbox');
    },
  });
  const { api } = await connect(desktop);
  expect((await api.system.info()).notices.map(({ message }) => message)).toEqual(said);
  expect(desktop.log).toEqual(said);
});
