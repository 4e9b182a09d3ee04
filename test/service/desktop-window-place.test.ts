/** Covers where the window opens, and where it moves when screens change. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { APP_ID } from '../../electron/version.ts';
import manifest from '../../package.json' with { type: 'json' };
import {
  desktopFolder,
  onlyWindow,
  startApplication,
  startMain,
} from '../fixtures/electron/desktop-under-test.ts';
import { monitor } from '../fixtures/electron/screen.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

const LAPTOP = { x: 0, y: 0, width: 1366, height: 768 };

test('fits a small screen, and allows that size as the minimum', async () => {
  const { options } = onlyWindow(
    await startApplication({
      prepare: ({ screen }) => {
        screen.monitors = [monitor(1, { x: 0, y: 0, width: 800, height: 480 })];
      },
    }),
  );
  expect(options).toMatchObject({
    x: 0,
    y: 0,
    width: 800,
    height: 440,
    minWidth: 800,
    minHeight: 440,
  });
});

test('opens where it was closed', async () => {
  const home = desktopFolder();
  const bounds = { x: 40, y: 30, width: 1000, height: 700 };
  const first = await startApplication({ home, platform: 'darwin' });
  onlyWindow(first).setBounds(bounds);
  onlyWindow(first).close();
  await vi.waitFor(() => expect(first.electron.BrowserWindow.opened[0]?.isDestroyed()).toBe(true));
  first.electron.app.emit('activate');
  expect(onlyWindow(first).options).toMatchObject(bounds);
});

test('opens where it was although its bounds exclude the frame', async () => {
  const home = desktopFolder();
  const timer = manualTimer();
  const desktop = await startApplication({
    home,
    timer,
    prepare: ({ BrowserWindow }) => {
      BrowserWindow.frame = { left: 1, top: 20 };
    },
  });
  const window = onlyWindow(desktop);
  await vi.waitFor(() => expect(window.isVisible()).toBe(true));
  const { x, y } = window.options;
  expect(window.getBounds()).toMatchObject({ x: Number(x) + 1, y: Number(y) + 20 });
  const savedPlace = () => JSON.parse(readFileSync(join(home, 'window.json'), 'utf8')).bounds;
  window.emit('move');
  timer.advance(500);
  expect(savedPlace()).toMatchObject({ x, y });
  window.setBounds({ x: 301, y: 220 });
  window.emit('move');
  timer.advance(500);
  expect(savedPlace()).toMatchObject({ x: 300, y: 200 });
});

test('opens maximized once it is shown, and keeps the previous size', async () => {
  const home = desktopFolder();
  const bounds = { x: 40, y: 30, width: 1000, height: 700 };
  writeFileSync(join(home, 'window.json'), JSON.stringify({ bounds, maximized: true }));
  const { promise, resolve } = Promise.withResolvers<void>();
  const desktop = await startApplication({
    home,
    prepare: ({ protocol }) => {
      const load = protocol.load.bind(protocol);
      protocol.load = async (...request) => {
        await promise;
        return load(...request);
      };
    },
  });
  const window = onlyWindow(desktop);
  expect([window.isVisible(), window.isMaximized()]).toEqual([false, false]);
  resolve();
  await vi.waitFor(() => expect(window.isMaximized()).toBe(true));
  expect(window.isVisible()).toBe(true);
  expect(window.getNormalBounds()).toEqual(bounds);
});

test('doesn’t save the position of a minimized or full screen window', async () => {
  const timer = manualTimer();
  const desktop = await startApplication({ timer });
  const window = onlyWindow(desktop);
  await vi.waitFor(() => expect(window.isVisible()).toBe(true));
  window.isInFullScreen = true;
  window.emit('resize');
  timer.advance(500);
  window.isInFullScreen = false;
  window.minimize();
  window.emit('resize');
  timer.advance(500);
  expect(existsSync(join(desktop.home, 'window.json'))).toBe(false);
});

test.each(['{"bounds":', '{"bounds":{"x":0,"y":0,"width":-5,"height":1},"maximized":true}'])(
  'opens with the default size if the saved bounds are invalid: %s',
  async (text) => {
    const home = desktopFolder();
    writeFileSync(join(home, 'window.json'), text);
    const { options } = onlyWindow(await startApplication({ home }));
    expect(options).toMatchObject({ x: 280, y: 90, width: 1360, height: 860 });
  },
);

test('moves into view when its screen shrinks, and when it is unplugged', async () => {
  const desktop = await startApplication({
    prepare: ({ screen }) => {
      screen.monitors.push(monitor(2, { x: 1920, y: 0, width: 1920, height: 1080 }));
    },
  });
  const { screen } = desktop.electron;
  const window = onlyWindow(desktop);
  window.setBounds({ x: 2200, y: 100, width: 1360, height: 860 });
  screen.unplug(2);
  expect(window.getBounds()).toEqual({ x: 560, y: 100, width: 1360, height: 860 });
  screen.resize(1, LAPTOP);
  expect(window.getBounds()).toEqual({ x: 6, y: 0, width: 1360, height: 728 });
  screen.resize(1, { x: 0, y: 0, width: 800, height: 480 });
  expect(window.minimumSize).toEqual([800, 440]);
});

test('moves into view after it is restored from minimized or maximized', async () => {
  const desktop = await startApplication();
  const { screen } = desktop.electron;
  const window = onlyWindow(desktop);
  window.minimize();
  screen.resize(1, LAPTOP);
  window.restore();
  await vi.waitFor(() => expect(window.getBounds()).toMatchObject({ width: 1360, height: 728 }));
  window.maximize();
  screen.resize(1, { x: 0, y: 0, width: 1024, height: 768 });
  window.unmaximize();
  await vi.waitFor(() => expect(window.getBounds()).toMatchObject({ width: 1024, height: 728 }));
});

test.each([
  ['win32', /electron[\\/]resources[\\/]icon\.ico$/],
  ['darwin', /electron[\\/]resources[\\/]icon\.png$/],
] as const)('shows its own icon on %s when run from source only', async (platform, file) => {
  const { getWindowIcon } = await import('../../electron/desktop/window.ts');
  const getAppPath = () => process.cwd();
  expect(getWindowIcon({ isPackaged: true, getAppPath }, platform)).toBeNull();
  const icon = getWindowIcon({ isPackaged: false, getAppPath }, platform);
  expect(icon).toMatch(file);
  expect(existsSync(String(icon))).toBe(true);
});

test.each([false, true])('sets the window icon on Linux, packaged: %s', async (isPackaged) => {
  const desktop = await startApplication({
    prepare({ app }) {
      app.isPackaged = isPackaged;
    },
  });
  // An AppImage that isn't integrated has no desktop entry with an icon.
  expect(onlyWindow(desktop).options.icon).toMatchObject({ urls: [expect.any(String)] });
});

test.each([
  ['win32', APP_ID],
  ['linux', null],
] as const)('sets its app ID on Windows only: %s', async (platform, id) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  const { electron } = await startMain();
  expect(electron.app.userModelId).toBe(id);
});

test('uses the same name on every system', () => {
  const builder = readFileSync('electron-builder.yml', 'utf8');
  expect(builder.split('\n')).toContain(`appId: ${APP_ID}`);
  expect(manifest.desktopName).toBe(`${APP_ID}.desktop`);
  expect(builder.split('\n')).toContain('  syncDesktopName: true');
  // electron-builder derives StartupWMClass from `desktopName`.
  expect(builder).not.toContain('StartupWMClass');
});
