import { expect, test, vi } from 'vitest';
import { anyPlace } from '../fixtures/electron/any-place.ts';
import { freshElectron } from '../fixtures/electron/desktop-under-test.ts';
import type { StandIn } from '../fixtures/electron/stand-in.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

/** Prepares a shutdown whose services close when the test says so. */
async function prepare() {
  const electron = await freshElectron();
  const { prepareShutdown } = await import('../../electron/desktop/shutdown.ts');
  const { CLOSE_LIMIT_MS } = await import('../../electron/services.ts');
  const { openWindow } = await import('../../electron/desktop/window.ts');
  electron.app.moduleSettled();
  await electron.app.whenReady();
  electron.protocol.handle('app', () => new Response(''));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closing = {
    flush: vi.fn(),
    close: vi.fn(() => promise),
    wake: vi.fn(),
    closePorts: vi.fn(),
    startSuccessor: vi.fn<(path: string) => void>(),
    onSessionEnd: vi.fn(),
    log: [] as string[],
    timer: manualTimer(),
  };
  const shutdown = prepareShutdown({
    services: { close: closing.close, wake: closing.wake, ledger: { flush: closing.flush } },
    closePorts: closing.closePorts,
    startSuccessor: closing.startSuccessor,
    onSessionEnd: closing.onSessionEnd,
    log: (line) => closing.log.push(line),
    timer: closing.timer,
  });
  const window = openWindow({
    preload: '/preload.cjs',
    dark: false,
    ...anyPlace,
    clock: () => 0,
    log: () => undefined,
    timer: manualTimer(),
    onShown: () => undefined,
    onFailure: () => undefined,
    onCrashLoop: () => undefined,
  });
  shutdown.watchSession(window);
  return { electron, shutdown, limitMs: CLOSE_LIMIT_MS, resolve, reject, ...closing };
}

/** Waits until all windows are closed and the services are closing. */
function untilClosing({ close }: { close: ReturnType<typeof vi.fn> }): Promise<void> {
  return vi.waitFor(() => expect(close).toHaveBeenCalled());
}

test.each<[string, (electron: StandIn) => void]>([
  ['the machine goes to sleep', ({ powerMonitor }) => powerMonitor.emit('suspend')],
  ['the machine shuts down', ({ powerMonitor }) => powerMonitor.emit('shutdown')],
  ['Windows ends the session', ({ BrowserWindow }) => BrowserWindow.opened[0]?.emit('session-end')],
  ['the application is told to quit', ({ app }) => app.quit()],
])('writes received events at once when %s', async (_when, happen) => {
  const { electron, flush } = await prepare();
  happen(electron);
  expect(flush).toHaveBeenCalledTimes(1);
});

test('waits for the services, closes them once, and doesn’t flush a closed ledger', async () => {
  const desktop = await prepare();
  const { app } = desktop.electron;
  app.quit();
  await untilClosing(desktop);
  expect(desktop.closePorts).toHaveBeenCalledTimes(1);
  app.quit();
  expect(app.exitCode).toBeNull();
  const before = desktop.flush.mock.calls.length;
  desktop.resolve();
  expect(await app.exited).toBe(0);
  expect(desktop.close).toHaveBeenCalledTimes(1);
  expect(desktop.flush).toHaveBeenCalledTimes(before);
  expect(desktop.timer.waiting()).toBe(0);
});

test('exits if the services hang, and reports it', async () => {
  const desktop = await prepare();
  const { app } = desktop.electron;
  desktop.shutdown.quit();
  expect(desktop.shutdown.isLeaving()).toBe(true);
  await untilClosing(desktop);
  desktop.timer.advance(desktop.limitMs - 1);
  expect(app.exitCode).toBeNull();
  desktop.timer.advance(1);
  expect(await app.exited).toBe(0);
  expect(desktop.log).toEqual([
    'Gatehouse took too long to shut down. Some results may not be saved.',
  ]);
});

test('exits if the services fail to close, and reports why', async () => {
  const desktop = await prepare();
  desktop.electron.app.quit();
  await untilClosing(desktop);
  desktop.reject(new Error('stuck'));
  expect(await desktop.electron.app.exited).toBe(0);
  expect(desktop.log).toEqual(['closing: Error: stuck']);
});

test('wakes the services when the computer wakes, but not during shutdown', async () => {
  const desktop = await prepare();
  desktop.electron.powerMonitor.emit('resume');
  expect(desktop.wake).toHaveBeenCalledTimes(1);
  desktop.electron.app.quit();
  await untilClosing(desktop);
  desktop.electron.powerMonitor.emit('resume');
  expect(desktop.wake).toHaveBeenCalledTimes(1);
  desktop.resolve();
  await desktop.electron.app.exited;
});

test('starts its successor once the services have closed and another instance may start', async () => {
  const { electron, shutdown, resolve, startSuccessor } = await prepare();
  electron.app.requestSingleInstanceLock();
  shutdown.relaunch('/opt/new.AppImage');
  shutdown.quit();
  await vi.waitFor(() => expect(electron.app.windows.size).toBe(0));
  expect(startSuccessor).not.toHaveBeenCalled();
  resolve();
  expect(await electron.app.exited).toBe(0);
  expect(startSuccessor).toHaveBeenCalledExactlyOnceWith('/opt/new.AppImage');
  expect(electron.app.lockedFolder).toBeNull();
});

test('quits even if its successor can’t be started', async () => {
  const { electron, shutdown, resolve, startSuccessor, log } = await prepare();
  startSuccessor.mockImplementation(() => {
    throw new Error('EACCES');
  });
  shutdown.relaunch('/opt/new.AppImage');
  shutdown.quit();
  resolve();
  expect(await electron.app.exited).toBe(0);
  expect(log).toEqual(['starting /opt/new.AppImage: Error: EACCES']);
});
