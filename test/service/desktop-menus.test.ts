import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import {
  asPackaged,
  type Desktop,
  onlyWindow,
  press,
  startApplication,
} from '../fixtures/electron/desktop-under-test.ts';

type Item = MenuItemConstructorOptions;

function itemsOf({ submenu }: Item): Item[] {
  return Array.isArray(submenu) ? submenu : [];
}

function allItems({ electron }: Desktop): Item[] {
  return electron.Menu.current.flatMap((menu) => itemsOf(menu));
}

function packaged(platform: NodeJS.Platform): Promise<Desktop> {
  return startApplication({
    platform,
    prepare: asPackaged,
  });
}

test.each([
  {
    platform: 'linux',
    menus: ['File', 'Edit', 'View', 'windowMenu', 'Help'],
    quit: ['Quit', 'CmdOrCtrl+Q'],
    reload: [undefined, 'F5'],
  },
  {
    platform: 'win32',
    menus: ['File', 'Edit', 'View', 'windowMenu', 'Help'],
    quit: ['Exit', undefined],
    reload: [undefined, 'F5'],
  },
  {
    platform: 'darwin',
    menus: ['Gatehouse', 'File', 'editMenu', 'View', 'windowMenu', 'Help'],
    quit: ['Quit Gatehouse', 'CmdOrCtrl+Q'],
    reload: [undefined],
  },
] as const)(
  'builds the standard menus of $platform, without developer tools when packaged',
  async ({ platform, menus, quit: [label, key], reload }) => {
    const desktop = await packaged(platform);
    expect(desktop.electron.Menu.current.map(({ label, role }) => label ?? role)).toEqual(menus);
    const items = allItems(desktop);
    expect(items.map(({ role }) => role)).not.toContain('toggleDevTools');
    // The packaged app doesn't include the README.
    expect(items.map(({ label }) => label)).not.toContain('Gatehouse Help');
    expect(items.find((item) => item.label === label)).toMatchObject({ label });
    expect(items.find((item) => item.label === label)?.accelerator).toBe(key);
    const keysOf = (role: Item['role']) =>
      items.filter((item) => item.role === role).map(({ accelerator }) => accelerator);
    // If undefined, the role brings its own key: CmdOrCtrl with Plus, - or 0.
    expect(keysOf('zoomIn')).toEqual([undefined, 'CmdOrCtrl+=', 'CmdOrCtrl+numadd']);
    expect(keysOf('zoomOut')).toEqual([undefined, 'CmdOrCtrl+numsub']);
    expect(keysOf('resetZoom')).toEqual([undefined, 'CmdOrCtrl+num0']);
    expect(keysOf('reload')).toEqual(reload);
  },
);

test('opens the settings in the open page without reloading it', async () => {
  const desktop = await startApplication();
  const { webContents } = onlyWindow(desktop);
  await vi.waitFor(() => expect(onlyWindow(desktop).isVisible()).toBe(true));
  const before = webContents.loadCount;
  const items = allItems(desktop);
  expect(items.find(({ label }) => label === 'Settings…')?.accelerator).toBe('CmdOrCtrl+,');
  press(items, 'Settings…');
  expect(webContents.mainFrame.url).toBe('app://gatehouse/#/settings');
  expect(webContents.loadCount).toBe(before);
});

test('opens a window with the settings if macOS has none', async () => {
  const desktop = await startApplication({ platform: 'darwin' });
  onlyWindow(desktop).destroy();
  press(allItems(desktop), 'Settings…');
  expect(onlyWindow(desktop).webContents.mainFrame.url).toBe('app://gatehouse/#/settings');
});

async function copyAbout(desktop: Desktop): Promise<void> {
  press(allItems(desktop), 'About Gatehouse');
  await vi.waitFor(() => expect(desktop.electron.dialog.questions).toHaveLength(1));
  const question = desktop.electron.dialog.questions.pop();
  expect(question?.options.message).toBe('Gatehouse 1.2.3');
  expect(question?.options.detail).toMatch(/^Electron .+\nChromium .+\nNode\.js \d+\./);
  question?.answer('Copy');
  await vi.waitFor(() =>
    expect(desktop.electron.clipboard.text).toContain('Gatehouse 1.2.3\nElectron'),
  );
}

const REPORT = JSON.stringify({
  ok: false,
  checks: [
    { name: 'page', ok: true },
    { name: 'demo video', ok: false },
    { name: 'media thread', ok: false },
  ],
});

async function pressReport(
  checkItself: () => Promise<string>,
  platform: NodeJS.Platform = 'linux',
) {
  const desktop = await startApplication({ checkItself, platform });
  await copyAbout(desktop);
  press(allItems(desktop), 'Report a Problem…');
  const { clipboard, dialog, shell } = desktop.electron;
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  return { clipboard, dialog, shell, desktop };
}

test.each(['linux', 'darwin', 'win32'] as const)(
  'copies the versions on %s, then a self-check if the user agrees, and shows failures',
  async (platform) => {
    const checkItself = vi.fn(async () => `${REPORT}\n`);
    const { clipboard, dialog, shell } = await pressReport(checkItself, platform);
    expect(dialog.questions[0]?.options.detail).toContain('nothing is sent');
    expect(checkItself).not.toHaveBeenCalled();
    dialog.questions.shift()?.answer('Copy report');
    await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
    expect(clipboard.text).toBe(REPORT);
    expect(dialog.questions[0]?.options).toMatchObject({
      message: 'Report copied',
      detail: expect.stringMatching(/^Failed: demo video; media thread\. /),
    });
    dialog.questions.shift()?.answer('Show log file');
    await vi.waitFor(() => expect(shell.shown).toEqual([expect.stringMatching(/gatehouse\.log$/)]));
  },
);

test('reports a problem with the known facts if the self-check doesn’t finish', async () => {
  const { clipboard, dialog } = await pressReport(async () => {
    throw new Error('It ended with SIGKILL.');
  });
  dialog.questions.shift()?.answer('Copy report');
  await vi.waitFor(() => expect(dialog.questions).toHaveLength(1));
  expect(JSON.parse(clipboard.text)).toMatchObject({
    ok: false,
    gatehouse: '1.2.3',
    versions: { node: process.versions.node },
    problem: 'It ended with SIGKILL.',
  });
  expect(dialog.questions[0]?.options.detail).toMatch(/^The self-check didn’t finish\./);
});

test('opens the bundled README', async () => {
  const desktop = await startApplication();
  press(allItems(desktop), 'Gatehouse Help');
  expect(desktop.electron.shell.paths).toEqual([expect.stringMatching(/README\.md$/)]);
  expect(desktop.log).toEqual([]);
});

const nowhere: Partial<ContextMenuParams> = {
  x: 5,
  y: 7,
  frame: null,
  isEditable: false,
  mediaType: 'none',
  hasImageContents: false,
  selectionText: '',
  misspelledWord: '',
  dictionarySuggestions: [],
  // macOS reports false even if it offers suggestions (electron#32102).
  spellcheckEnabled: false,
  linkURL: '',
  srcURL: '',
  menuSourceType: 'mouse',
  editFlags: {
    canUndo: false,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: false,
    canDelete: false,
    canSelectAll: true,
    canEditRichly: false,
  },
};

async function startWithMenu() {
  const desktop = await startApplication();
  const { webContents } = onlyWindow(desktop);
  const { popups } = desktop.electron.Menu;
  function rightClick(params: Partial<ContextMenuParams>) {
    popups.length = 0;
    webContents.emit('context-menu', {}, { ...nowhere, ...params });
    const [popup, ...more] = popups;
    expect(more).toEqual([]);
    const names = popup?.items.map(({ label, role, type }) => label ?? role ?? type);
    return { popup, names, items: popup?.items ?? [] };
  }
  return { desktop, webContents, rightClick };
}

test('offers edit, copy and spelling actions for the clicked text', async () => {
  const { desktop, rightClick, webContents } = await startWithMenu();
  const { names, items, popup } = rightClick({ isEditable: true });
  expect(names).toEqual(['cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll']);
  expect(items.map(({ enabled }) => enabled)).toEqual([true, true, false, false, true]);
  expect(popup?.options).not.toHaveProperty('x');
  expect(rightClick({ selectionText: 'so far' }).names).toEqual(['copy', 'selectAll']);
  // Opened by keyboard, the menu appears at the text cursor.
  const byKey = rightClick({ isEditable: true, menuSourceType: 'keyboard' });
  expect(byKey.popup?.options).toMatchObject({ x: 5, y: 7, sourceType: 'keyboard' });

  expect(onlyWindow(desktop).options.webPreferences?.spellcheck).toBe(true);
  const spelling = rightClick({
    isEditable: true,
    misspelledWord: 'helo',
    dictionarySuggestions: ['hello', 'help'],
  });
  const suggested = ['hello', 'help', 'Add to Dictionary', 'separator'];
  expect(spelling.names?.slice(0, 4)).toEqual(suggested);
  press(spelling.items, 'help');
  expect(webContents.edits).toEqual([['replace', 'help']]);
  press(spelling.items, 'Add to Dictionary');
  expect(webContents.learned).toEqual(['helo']);
});

test('copies images, and saves only those of the media library', async () => {
  const { rightClick, webContents } = await startWithMenu();
  const { names, items } = rightClick({
    mediaType: 'image',
    hasImageContents: true,
    srcURL: 'app://gatehouse/media/abc-_123',
  });
  expect(names).toEqual(['Copy Image', 'Save Image…']);
  press(items, 'Copy Image');
  press(items, 'Save Image…');
  expect(webContents.edits).toEqual([
    ['copy image', 5, 7],
    ['download', 'app://gatehouse/media/abc-_123?download'],
  ]);
  for (const srcURL of [
    'blob:app://gatehouse/1-2',
    'app://gatehouse/media/../ledger.sqlite',
    'https://x.example/a.png',
  ]) {
    const others = rightClick({ mediaType: 'image', hasImageContents: true, srcURL });
    expect(others.names, srcURL).toEqual(['Copy Image']);
  }
});

test('opens and copies web and mail links only', async () => {
  const { desktop, rightClick } = await startWithMenu();
  for (const linkURL of ['javascript:alert(1)', 'file:///etc/passwd']) {
    expect(rightClick({ linkURL }).names ?? [], linkURL).toEqual([]);
  }
  for (const linkURL of ['https://example.com/a', 'HTTP://example.com/b', 'mailto:a@e.com']) {
    const { names, items } = rightClick({ linkURL });
    expect(names).toEqual(['Open Link', 'Copy Link']);
    press(items, 'Open Link');
    expect(desktop.electron.shell.opened.at(-1)).toBe(linkURL);
    press(items, 'Copy Link');
    await vi.waitFor(() => expect(desktop.electron.clipboard.text).toBe(linkURL));
  }
});
