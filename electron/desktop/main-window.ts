/** Opens, shows and closes the one window, asking first where something would be left behind. */
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { type ActiveWork, hasActiveWork } from './active-work.ts';
import { PAGE_URL } from './page-address.ts';
import { confirmQuit } from './quit-prompt.ts';

export interface MainWindow {
  /** Opens it, or brings it to the front. */
  show(): void;
  /** The same, with this place of the page: `#/settings`. */
  showAt(hash: string): void;
  /**
   * Shows a message box in it and returns the button's number, or `cancelId` where the window went first. A box without
   * a window would hold up main, and every stream, on macOS.
   */
  ask(options: MessageBoxOptions & { cancelId: number }): Promise<number>;
  /** Quits, as a menu does. */
  leave(): void;
  isOpen(): boolean;
  isFocused(): boolean;
}

export interface MainWindowOptions {
  /** `onShown` is called once its user can see it. */
  open: (onShown: () => void) => BrowserWindow;
  goingOn: () => ActiveWork;
  /** Whether the end of a run will be notified for certain. */
  notifies: () => boolean;
  /** Whether the application stays in sight without a window, as in the dock of macOS. */
  staysWithoutWindow: boolean;
  /** Whether the application is on its way out: no question is shown and no window opened any more. */
  isLeaving: () => boolean;
  quit: () => void;
  /** The window was opened, or has gone. */
  onChange: () => void;
  log: (line: string) => void;
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  let current: BrowserWindow | null = null;
  /** The current window once it is shown; null if it was closed before. */
  let shown: Promise<BrowserWindow | null> = Promise.resolve(null);
  let confirming = false;

  /** A recording belongs to the page: what one left behind when it went is no longer going on. */
  function goingOn(): ActiveWork {
    return current === null ? { ...options.goingOn(), recordings: 0 } : options.goingOn();
  }

  /** Null if it went before its user saw it. */
  async function inFront(): Promise<BrowserWindow | null> {
    show();
    const window = await shown;
    return window?.isDestroyed() === false ? window : null;
  }

  async function confirm(onlyCloses: boolean): Promise<void> {
    const now = goingOn();
    const window = await inFront();
    if (window === null) return;
    const notifies = options.notifies();
    const choice = await confirmQuit({ goingOn: now, window, notifies, onlyCloses });
    if (choice === 'quit') options.quit();
    if (choice === 'background' && !window.isDestroyed()) window.destroy();
  }

  function confirmOnce(onlyCloses: boolean): void {
    if (confirming) return;
    confirming = true;
    confirm(onlyCloses)
      .catch((cause: unknown) => options.log(`asking before leaving: ${String(cause)}`))
      .finally(() => {
        confirming = false;
      });
  }

  function open(): BrowserWindow {
    const { promise, resolve } = Promise.withResolvers<BrowserWindow | null>();
    shown = promise;
    const window = options.open(() => resolve(window));
    window.on('close', (event) => {
      if (options.isLeaving()) return;
      const now = goingOn();
      const onlyCloses = options.staysWithoutWindow;
      if (now.recordings === 0 && (onlyCloses || !hasActiveWork(now))) return;
      event.preventDefault();
      confirmOnce(onlyCloses);
    });
    window.on('closed', () => {
      current = null;
      resolve(null);
      options.onChange();
    });
    return window;
  }

  function show(): void {
    if (options.isLeaving()) return;
    if (!current) {
      current = open();
      options.onChange();
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
      const contents = current?.webContents;
      // The same URL once more would load the page again.
      if (contents?.getURL() === PAGE_URL + hash) return;
      contents?.loadURL(PAGE_URL + hash).catch(() => undefined);
    },
    async ask(question) {
      const window = await inFront();
      if (window === null) return question.cancelId;
      return (await dialog.showMessageBox(window, question)).response;
    },
    leave() {
      if (options.isLeaving()) return;
      const now = goingOn();
      if (now.recordings === 0 && !hasActiveWork(now)) options.quit();
      else confirmOnce(false);
    },
    isOpen: () => current !== null,
    isFocused: () => current?.isFocused() ?? false,
  };
}
