/** Builds the application menu. */
import { Menu, type MenuItemConstructorOptions } from 'electron';

export interface MenuOptions {
  platform: NodeJS.Platform;
  packaged: boolean;
  openSettings: () => void;
  openReadme: (() => void) | null;
  showLog: () => void;
  reportProblem: () => void;
  showAbout: () => void;
  quit: () => void;
}

type Items = MenuItemConstructorOptions[];
const separator: MenuItemConstructorOptions = { type: 'separator' };

/** Other commands are on the page, so that both hosts have them. */
function createMenuTemplate(options: MenuOptions): Items {
  const mac = options.platform === 'darwin';
  const settings: Items = [
    { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: options.openSettings },
  ];
  // Don't use the `quit` role, which would quit without confirmation.
  const quit: MenuItemConstructorOptions = {
    label: mac ? 'Quit Gatehouse' : options.platform === 'win32' ? 'Exit' : 'Quit',
    ...(options.platform === 'win32' ? {} : { accelerator: 'CmdOrCtrl+Q' }),
    click: options.quit,
  };
  const about: Items = [{ label: 'About Gatehouse', click: options.showAbout }];
  return [
    ...(mac ? [createMacMenu(about, settings, quit)] : []),
    {
      label: 'File',
      submenu: mac ? [{ role: 'close' }] : [...settings, separator, quit],
    },
    editMenu(mac),
    { label: 'View', submenu: viewItems(options) },
    { role: 'windowMenu' },
    // With this role, macOS adds its search field to the menu.
    { role: 'help', label: 'Help', submenu: listHelpItems(options, mac ? [] : about) },
  ];
}

/** Same as the `appMenu` role, plus Settings. */
function createMacMenu(
  about: Items,
  settings: Items,
  quit: MenuItemConstructorOptions,
): MenuItemConstructorOptions {
  return {
    label: 'Gatehouse',
    submenu: [
      ...about,
      separator,
      ...settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      quit,
    ],
  };
}

/** Except on macOS, the role can't turn the spelling check off. */
function editMenu(mac: boolean): MenuItemConstructorOptions {
  if (mac) return { role: 'editMenu' };
  return {
    label: 'Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'delete' },
      separator,
      { role: 'selectAll' },
      separator,
      { role: 'toggleSpellChecker' },
    ],
  };
}

function viewItems({ platform, packaged }: MenuOptions): Items {
  return [
    { role: 'reload' },
    ...(platform === 'darwin' ? [] : [createSilentItem('reload', 'F5')]),
    ...(packaged ? [] : ([{ role: 'toggleDevTools' }] satisfies Items)),
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    // An item has only one accelerator, and the roles lack the unshifted and number pad keys.
    createSilentItem('zoomIn', 'CmdOrCtrl+='),
    createSilentItem('zoomIn', 'CmdOrCtrl+numadd'),
    createSilentItem('zoomOut', 'CmdOrCtrl+numsub'),
    createSilentItem('resetZoom', 'CmdOrCtrl+num0'),
    separator,
    { role: 'togglefullscreen' },
  ];
}

function createSilentItem(
  role: NonNullable<MenuItemConstructorOptions['role']>,
  accelerator: string,
): MenuItemConstructorOptions {
  return { role, accelerator, visible: false, acceleratorWorksWhenHidden: true };
}

function listHelpItems({ openReadme, showLog, reportProblem }: MenuOptions, about: Items): Items {
  return [
    ...(openReadme === null
      ? []
      : ([{ label: 'Gatehouse Help', click: openReadme }] satisfies Items)),
    { label: 'Show Log File', click: showLog },
    { label: 'Report a Problem…', click: reportProblem },
    ...(about.length === 0 ? [] : [separator, ...about]),
  ];
}

export function installMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(createMenuTemplate(options)));
}
