import { expect, test, vi } from 'vitest';
import { READY_LINE } from '../../electron/launch/status-lines.ts';
import { anyPlace } from '../fixtures/electron/any-place.ts';
import { onlyWindow, startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

test('gives the page no Node, a sandbox and an isolated world', async () => {
  const { options } = onlyWindow(await startApplication());
  expect(options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    preload: '/preload.cjs',
  });
  expect(options.webPreferences).not.toHaveProperty('webSecurity');
  expect(options).toMatchObject({ width: 1360, height: 860, minWidth: 960, minHeight: 600 });
});

test('blocks navigation, new windows and frames', async () => {
  const { webContents } = onlyWindow(await startApplication());
  for (const url of [
    'https://example.com/',
    'app://gatehouse.evil/',
    'app://gatehouse/assets/index-1a2b.js',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ]) {
    expect(webContents.navigate(url), url).toBe(false);
    expect(webContents.navigate(url, false), url).toBe(false);
    expect(webContents.redirect(url), url).toBe(false);
    expect(webContents.openWindow(url), url).toBe('deny');
  }
  expect(webContents.navigate('app://gatehouse/')).toBe(true);
  expect(webContents.navigate('app://gatehouse/#/chat')).toBe(true);
  expect(webContents.navigate('app://gatehouse/', false)).toBe(false);
  expect(webContents.openWindow('app://gatehouse/')).toBe('deny');
  // The page can't attach a webview or prevent its window from closing.
  expect(webContents.attachWebview()).toBe(false);
  expect(webContents.preventUnload()).toBe(false);
});

test('opens links of the page outside, and no other address', async () => {
  const desktop = await startApplication();
  const { webContents } = onlyWindow(desktop);
  for (const url of ['https://example.com/a', 'mailto:a@example.com', 'file:///etc/passwd']) {
    expect(webContents.openWindow(url)).toBe('deny');
  }
  expect(desktop.electron.shell.opened).toEqual(['https://example.com/a', 'mailto:a@example.com']);
});

test('shows a notice if no program opens a link', async () => {
  const desktop = await startApplication();
  const { api } = await connect(desktop);
  desktop.electron.shell.openExternal = async () => {
    throw new Error('Failed to open URL');
  };
  onlyWindow(desktop).webContents.openWindow('https://example.com/');
  await vi.waitFor(async () => {
    const { notices } = await api.system.info();
    expect(notices).toMatchObject([{ message: expect.stringContaining('couldn’t be opened') }]);
  });
});

test('opens web and mail links for the page, and nothing else', async () => {
  const desktop = await startApplication();
  const { api } = await connect(desktop);
  await api.system.openExternal({ url: 'https://example.com/a' });
  await api.system.openExternal({ url: 'HTTP://example.com/b' });
  await api.system.openExternal({ url: 'mailto:a@example.com' });
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/share', 'app://x/']) {
    await expect(api.system.openExternal({ url })).rejects.toMatchObject({ code: 'APP_ERROR' });
  }
  expect(desktop.electron.shell.opened).toEqual([
    'https://example.com/a',
    'HTTP://example.com/b',
    'mailto:a@example.com',
  ]);
});

test('reloads a crashed page unless it keeps crashing', async () => {
  let time = 0;
  const desktop = await startApplication();
  const loops: string[] = [];
  const { openWindow: open } = await import('../../electron/desktop/window.ts');
  const opened = open({
    preload: '/preload.cjs',
    dark: false,
    ...anyPlace,
    clock: () => time,
    log: () => undefined,
    timer: manualTimer(),
    onShown: () => undefined,
    onFailure: () => undefined,
    onCrashLoop: (reason) => loops.push(reason),
  });
  const window = desktop.electron.BrowserWindow.opened.at(-1);
  if (!window) throw new Error('No window');
  const { webContents } = window;
  expect(webContents.loadCount).toBe(1);
  webContents.crash('clean-exit');
  expect(webContents.loadCount).toBe(1);
  webContents.crash('oom');
  expect(webContents.loadCount).toBe(2);
  time = 9_999;
  webContents.crash('crashed');
  expect(webContents.loadCount).toBe(2);
  expect(loops).toEqual(['crashed']);
  time = 30_000;
  webContents.crash('killed');
  expect(webContents.loadCount).toBe(3);
  opened.destroy();
});

test('asks what to do with a page that keeps crashing', async () => {
  const desktop = await startApplication();
  const { app, dialog } = desktop.electron;
  const { webContents } = onlyWindow(desktop);
  await connect(desktop);
  await vi.waitFor(() => expect(desktop.printed).toEqual([READY_LINE]));
  webContents.crash('oom');
  webContents.crash('oom');
  expect(dialog.questions[0]?.options).toMatchObject({
    message: 'The Gatehouse window keeps crashing.',
    buttons: ['Reload', 'Show log file', 'Quit'],
  });
  const before = webContents.loadCount;
  dialog.questions.shift()?.answer('Reload');
  await vi.waitFor(() => expect(webContents.loadCount).toBe(before + 1));
  webContents.crash('oom');
  dialog.questions.shift()?.answer('Quit');
  expect(await app.exited).toBe(0);
});

/** Opens a page that never connects to the main process. */
async function blankPage(isPackaged: boolean) {
  const timer = manualTimer();
  const desktop = await startApplication({
    timer,
    prepare: ({ app }) => {
      app.isPackaged = isPackaged;
    },
  });
  const window = onlyWindow(desktop);
  await vi.waitFor(() => expect(window.isVisible()).toBe(true));
  return { desktop, timer, window, ...desktop.electron };
}

const BLANK = 'the page hasn’t connected for 20 s';

test('reports a page that doesn’t connect, and reloads it or quits', async () => {
  const { app, desktop, dialog, shell, timer, window } = await blankPage(true);
  timer.advance(19_999);
  expect(dialog.questions).toEqual([]);
  timer.advance(1);
  expect(desktop.log).toEqual([BLANK]);
  expect(dialog.questions[0]?.options).toMatchObject({
    message: 'The Gatehouse window didn’t finish loading.',
    buttons: ['Reload', 'Show log file', 'Quit'],
  });
  dialog.questions.shift()?.answer('Show log file');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(shell.shown).toEqual([expect.stringMatching(/gatehouse\.log$/)]);
  const before = window.webContents.loadCount;
  dialog.questions.shift()?.answer('Reload');
  await vi.waitFor(() => expect(window.webContents.loadCount).toBe(before + 1));
  timer.advance(20_000);
  expect(desktop.log).toEqual([BLANK, BLANK]);
  dialog.questions.shift()?.answer('Quit');
  expect(await app.exited).toBe(0);
  expect(window.webContents.loadCount).toBe(before + 1);
});

test('closes the dialog when the page connects late', async () => {
  const { desktop, dialog, timer, window } = await blankPage(true);
  timer.advance(20_000);
  const before = window.webContents.loadCount;
  const { api } = await connect(desktop);
  await api.system.info();
  expect(dialog.questions.shift()?.options.signal?.aborted).toBe(true);
  timer.advance(60_000);
  expect(dialog.questions).toEqual([]);
  expect(window.webContents.loadCount).toBe(before);
});

test('applies the user’s theme from the first window on', async () => {
  const desktop = await startApplication();
  expect(onlyWindow(desktop).options.backgroundColor).toBe('#f7f7f9');
  const { api } = await connect(desktop);
  await api.settings.update({ theme: 'dark' });
  await vi.waitFor(() => expect(desktop.electron.nativeTheme.themeSource).toBe('dark'));
});

/** Opens a page that hangs after it connected and was shown. */
async function hungPage() {
  const timer = manualTimer();
  const desktop = await startApplication({ timer });
  const window = onlyWindow(desktop);
  await vi.waitFor(() => expect(window.isVisible()).toBe(true));
  window.webContents.hangs = true;
  window.webContents.emit('unresponsive');
  return { timer, desktop, contents: window.webContents, window };
}

test('asks about a page that hangs, and ends it before reloading', async () => {
  const { timer, desktop, contents } = await hungPage();
  const { questions } = desktop.electron.dialog;
  expect(questions).toEqual([]);
  timer.advance(3_000);
  expect(questions[0]?.options.buttons).toEqual(['Wait', 'Reload']);
  const before = contents.loadCount;
  questions.shift()?.answer('Reload');
  await vi.waitFor(() => expect(contents.loadCount).toBe(before + 1));
  timer.advance(60_000);
  expect(questions).toEqual([]);
});

test('asks again after “Wait” if the page still hangs', async () => {
  const { timer, desktop, contents } = await hungPage();
  const { questions } = desktop.electron.dialog;
  timer.advance(3_000);
  contents.emit('unresponsive');
  expect(questions).toHaveLength(1);
  questions.shift()?.answer('Wait');
  await vi.waitFor(() => {
    timer.advance(30_000);
    expect(questions).toHaveLength(1);
  });
  contents.emit('responsive');
  await vi.waitFor(() => expect(questions[0]?.options.signal?.aborted).toBe(true));
  timer.advance(60_000);
  expect(questions).toHaveLength(1);
});

test('doesn’t ask about a page that recovers in time or was closed', async () => {
  const { timer, desktop, contents, window } = await hungPage();
  timer.advance(2_000);
  contents.emit('responsive');
  timer.advance(60_000);
  contents.emit('unresponsive');
  window.destroy();
  timer.advance(60_000);
  expect(desktop.electron.dialog.questions).toEqual([]);
});
