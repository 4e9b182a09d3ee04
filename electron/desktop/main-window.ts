/** Opens, shows and closes the window, and asks before work is lost. */
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { type ActiveWork, confirmQuit, hasActiveWork } from './active-work.ts';
import { PAGE_URL } from './page-protocol.ts';

export interface MainWindow {
  /** Opens it or brings it to the front. */
  show(): void;
  /** Also navigates the page to this hash, such as `#/settings`. */
  showAt(hash: string): void;
  /** Shows a message box in the window. Resolves to `cancelId` if the window closes first. */
  ask(options: MessageBoxOptions & { cancelId: number }): Promise<number>;
  /** Quits and asks first if work would be lost. */
  leave(): void;
  isOpen(): boolean;
  isFocused(): boolean;
}

export interface MainWindowOptions {
  /** `onShown` is called once the window is visible. */
  open: (onShown: () => void) => BrowserWindow;
  goingOn: () => ActiveWork;
  /** Whether the user is sure to be notified when a run ends. */
  notifies: () => boolean;
  /** True on macOS, where the dock keeps the application reachable. */
  staysWithoutWindow: boolean;
  /** While quitting, no question is shown and no window opens. */
  isLeaving: () => boolean;
  quit: () => void;
  /** The window opened or closed. */
  onChange: () => void;
  log: (line: string) => void;
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  let current: BrowserWindow | null = null;
  /** Resolves when the current window is shown, to null if it closes first. */
  let shown: Promise<BrowserWindow | null> = Promise.resolve(null);
  let confirming = false;

  /** A recording belongs to the page and ends with it. */
  function goingOn(): ActiveWork {
    return current === null ? { ...options.goingOn(), recordings: 0 } : options.goingOn();
  }

  /** Shows the window, because a box without one blocks the main process on macOS. Null if it closes. */
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
      const contents = current?.webContents;
      // Loading the same URL again would reload the page.
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
