import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ALREADY_OPEN_LINE, QUIT_MESSAGE, READY_LINE } from '../../electron/launch/status-lines.ts';
import { openStorage } from '../../electron/storage/database.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { desktopFolder, onlyWindow, startMain } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';

test('opens the page in one window and reports readiness on stdout', async () => {
  const desktop = await startMain();
  await desktop.opened();
  await (await connect(desktop)).api.system.info();
  await vi.waitFor(() => expect(desktop.printed).toEqual([READY_LINE]));
  const window = onlyWindow(desktop);
  expect(window.isVisible()).toBe(true);
  expect(window.webContents.mainFrame.url).toBe('app://gatehouse/');
});

test('registers its scheme before ready, with the privileges the page and its media need', async () => {
  const { electron } = await startMain();
  expect(electron.protocol.privileges('app')).toEqual({
    standard: true,
    secure: true,
    supportFetchAPI: true,
    stream: true,
    codeCache: true,
  });
  await electron.app.whenReady();
  const { registerPageScheme } = await import('../../electron/desktop/page-protocol.ts');
  expect(() => registerPageScheme(electron.protocol)).toThrow('before app is ready');
});

test('takes the single-instance lock for the data folder, readable only by its owner', async () => {
  const { electron, home } = await startMain();
  expect(electron.app.lockedFolder).toBe(join(home, 'desktop'));
  expect(statSync(join(home, 'desktop')).mode & 0o777).toBe(0o700);
});

test('exits without touching the ledger if another Gatehouse holds the lock', async () => {
  const { electron, home, printed } = await startMain({
    prepare: ({ app }) => {
      app.lockIsFree = false;
    },
  });
  expect(await electron.app.exited).toBe(0);
  expect(printed).toEqual([ALREADY_OPEN_LINE]);
  expect(electron.BrowserWindow.opened).toEqual([]);
  expect(statSync(join(home, 'ledger.sqlite'), { throwIfNoEntry: false })).toBeUndefined();
});

test('prints why it can’t start before showing a dialog, and exits with 1', async () => {
  const home = desktopFolder();
  const other = openStorage({ home, now: Date.now });
  let printedFirst: string[] = [];
  const { electron, printed } = await startMain({
    home,
    prepare: ({ dialog }) => {
      const show = dialog.showErrorBox;
      dialog.showErrorBox = (title, content) => {
        printedFirst = [...printed];
        show(title, content);
      };
    },
  });
  expect(await electron.app.exited).toBe(1);
  await other.close();
  expect(printedFirst).toEqual([
    expect.stringMatching(
      /^gatehouse: can’t start: Another Gatehouse is already using this data folder \(in the browser, process \d+\)\. [^\n]+$/,
    ),
  ]);
  const [box] = electron.dialog.errors;
  expect(box?.title).toBe('Gatehouse can’t start');
  expect(box?.content).toContain('Switch to it, close it');
  expect(electron.BrowserWindow.opened).toEqual([]);
});

test('shows details of a startup error instead of hanging without a window', async () => {
  const { electron, log } = await startMain({
    prepare: ({ protocol }) => {
      protocol.handle = () => {
        throw new Error('handled already');
      };
    },
  });
  expect(await electron.app.exited).toBe(1);
  expect(electron.dialog.errors[0]?.content).toContain('handled already');
  expect(log.join('\n')).toContain('handled already');
});

test('exits on its launcher’s quit message, and ignores other messages', async () => {
  const desktop = await startMain();
  await desktop.opened();
  desktop.hear('anything');
  expect(desktop.electron.app.exitCode).toBeNull();
  desktop.hear(QUIT_MESSAGE);
  expect(await desktop.electron.app.exited).toBe(0);
});

test('starts in memory if the data folder can’t be created', async () => {
  const parent = temporaryFolder();
  const home = join(parent, 'file', 'home');
  writeFileSync(join(parent, 'file'), 'not a folder');
  const desktop = await startMain({ home });
  await desktop.opened();
  await (await connect(desktop)).api.system.info();
  await vi.waitFor(() => expect(desktop.printed).toEqual([READY_LINE]));
  expect(desktop.log.join('\n')).toContain('can’t be used');
  expect(onlyWindow(desktop).isVisible()).toBe(true);
});

test('logs its output, versions and exit to a file', async () => {
  const home = desktopFolder();
  const desktop = await startMain({ home });
  await desktop.opened();
  onlyWindow(desktop).webContents.crash('oom');
  const path = join(home, 'logs', 'gatehouse.log');
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toMatch(/Electron .+ started\n/));
  desktop.electron.app.quit();
  await desktop.electron.app.exited;
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('the page ended: oom\n');
  expect(text).toMatch(/Gatehouse ended\n$/);
});

test('logs no crash if a second instance starts', async () => {
  const home = desktopFolder();
  const desktop = await startMain({
    home,
    prepare: ({ app }) => {
      app.lockIsFree = false;
    },
  });
  await desktop.electron.app.exited;
  expect(existsSync(join(home, 'logs', 'gatehouse.log'))).toBe(false);
});
