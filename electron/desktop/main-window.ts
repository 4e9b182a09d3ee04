/** Opens, shows and closes the window, and asks for confirmation before work is lost. */
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { type ActiveWork, confirmQuit, hasActiveWork } from './active-work.ts';
import { PAGE_URL } from './page-protocol.ts';

export interface MainWindowOptions {
  open: (onShown: () => void) => BrowserWindow;
  getActiveWork: () => ActiveWork;
  notifies: () => boolean;
  /** True on macOS, where the Dock keeps the app accessible without a window. */
  staysWithoutWindow: boolean;
  /** While the app is quitting, no dialogs or windows open. */
  isLeaving: () => boolean;
  quit: () => void;
  onChange: () => void;
  log: (line: string) => void;
}

/** While the app is quitting, no method opens the window. */
export interface MainWindow {
  show(): void;
  /** Shows the window and navigates the page to a hash such as `#/settings`. */
  showAt(hash: string): void;
  /** Shows a message box in the window; resolves to `cancelId` if the window is closed first. */
  ask(question: MessageBoxOptions & { cancelId: number }): Promise<number>;
  /** Quits, after confirmation if work would be lost. */
  leave(): void;
  /** Shows progress on the Dock or taskbar; null removes it. */
  showProgress(progress: number | null): void;
  isOpen(): boolean;
  isFocused(): boolean;
}

const NO_PROGRESS = -1;

/** The Dock has the progress of the app, so a window that closes would leave it there. */
function hideProgress(window: BrowserWindow): void {
  window.setProgressBar(NO_PROGRESS);
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  let current: BrowserWindow | null = null;
  /** Resolves when the current window is visible, or to null if it is closed first. */
  let shown: Promise<BrowserWindow | null> = Promise.resolve(null);
  let confirming = false;

  /** Counts recordings only while the page is open, because closing it ends them. */
  function getActiveWork(): ActiveWork {
    return current === null
      ? { ...options.getActiveWork(), recordings: 0 }
      : options.getActiveWork();
  }

  /**
   * Shows the window; resolves to null if it closes. Dialogs need a window, because otherwise macOS
   * blocks the main process.
   */
  async function inFront(): Promise<BrowserWindow | null> {
    show();
    const window = await shown;
    return window?.isDestroyed() === false ? window : null;
  }

  async function confirm(onlyCloses: boolean): Promise<void> {
    const now = getActiveWork();
    const window = await inFront();
    if (window === null) return;
    const notifies = options.notifies();
    const choice = await confirmQuit({ activeWork: now, window, notifies, onlyCloses });
    if (choice === 'quit') options.quit();
    if (choice !== 'background' || window.isDestroyed()) return;
    hideProgress(window);
    window.destroy();
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
      const now = getActiveWork();
      const onlyCloses = options.staysWithoutWindow;
      if (now.recordings === 0 && (onlyCloses || !hasActiveWork(now))) {
        hideProgress(window);
        return;
      }
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
    showAt(hash: string): void {
      show();
      const contents = current?.webContents;
      // Only change the hash, because loading the same URL again would reload the page.
      if (contents?.getURL() === PAGE_URL + hash) return;
      contents?.loadURL(PAGE_URL + hash).catch(() => undefined);
    },
    async ask(question: MessageBoxOptions & { cancelId: number }): Promise<number> {
      const window = await inFront();
      if (window === null) return question.cancelId;
      return (await dialog.showMessageBox(window, question)).response;
    },
    leave(): void {
      if (options.isLeaving()) return;
      const now = getActiveWork();
      if (now.recordings === 0 && !hasActiveWork(now)) options.quit();
      else confirmOnce(false);
    },
    showProgress: (progress) => current?.setProgressBar(progress ?? NO_PROGRESS),
    isOpen: () => current !== null,
    isFocused: () => current?.isFocused() ?? false,
  };
}
