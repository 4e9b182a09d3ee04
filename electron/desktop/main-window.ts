/** Opens, shows and closes the one window, asking first where runs would be left behind. */
import { type BrowserWindow, dialog } from 'electron';
import { PAGE_URL } from './page-address.ts';

export interface MainWindow {
  /** Opens it, or brings it to the front. */
  show(): void;
  /** The same, with this place of the page: `#/settings`. */
  showAt(hash: string): void;
  isOpen(): boolean;
  isFocused(): boolean;
}

export interface MainWindowOptions {
  open: () => BrowserWindow;
  activeRunCount: () => number;
  /** Whether the application is on its way out: no question is shown and no window opened any more. */
  isLeaving: () => boolean;
  quit: () => void;
  log: (line: string) => void;
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  let current: BrowserWindow | null = null;

  function open(): BrowserWindow {
    const window = options.open();
    let confirming = false;
    window.on('close', (event) => {
      const active = options.activeRunCount();
      if (options.isLeaving() || active === 0) return;
      event.preventDefault();
      if (confirming) return;
      confirming = true;
      askBeforeClosing(window, active)
        .then((choice) => {
          if (choice === 'quit') options.quit();
          if (choice === 'background' && !window.isDestroyed()) window.destroy();
        })
        .catch((cause: unknown) => options.log(`confirming close: ${String(cause)}`))
        .finally(() => {
          confirming = false;
        });
    });
    window.on('closed', () => {
      current = null;
    });
    return window;
  }

  function show(): void {
    if (options.isLeaving()) return;
    if (!current) {
      current = open();
      return;
    }
    if (current.isMinimized()) current.restore();
    current.show();
    current.focus();
  }

  return {
    show,
    showAt(hash) {
      show();
      // The page that is there stays: only its hash changes.
      current?.webContents.loadURL(PAGE_URL + hash).catch(() => undefined);
    },
    isOpen: () => current !== null,
    isFocused: () => current?.isFocused() ?? false,
  };
}

type ClosingChoice = 'background' | 'quit' | 'stay';

/** Shown where the last window is closed while runs are active. */
async function askBeforeClosing(window: BrowserWindow, activeRuns: number): Promise<ClosingChoice> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: activeRuns === 1 ? '1 run is in progress.' : `${activeRuns} runs are in progress.`,
    detail:
      'Keep them running in the background to get a notification when they finish. Quitting stops them and keeps partial results.',
    buttons: ['Keep running in the background', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  const choices: ClosingChoice[] = ['background', 'quit', 'stay'];
  return choices[response] ?? 'stay';
}
