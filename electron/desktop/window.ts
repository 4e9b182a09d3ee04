/** The one window of Gatehouse, whose page stays where it is: no navigation, no new windows, no embedded pages. */
import {
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  type Event,
  type WebContents,
} from 'electron';
import { isPage, PAGE_URL } from './page-address.ts';

/** A page that dies again this soon is not loaded another time. */
const CRASH_LOOP_MS = 10_000;

export function windowOptions(preload: string, dark: boolean): BrowserWindowConstructorOptions {
  return {
    width: 1360,
    height: 860,
    minWidth: 960,
    minHeight: 600,
    show: false,
    title: 'Gatehouse',
    // The canvas of tokens.css, so that nothing flashes before the first paint.
    backgroundColor: dark ? '#0e0f12' : '#f7f7f9',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // Streams and polls are main's: a hidden page may be throttled.
      backgroundThrottling: true,
      spellcheck: false,
    },
  };
}

export interface WindowOptions {
  preload: string;
  dark: boolean;
  /** Milliseconds, never going back. */
  clock: () => number;
  log: (line: string) => void;
  /** Called once the page is there for the first time. */
  onLoaded: () => void;
  /** Called when the page keeps ending and is not loaded again by itself. */
  onCrashLoop: (window: BrowserWindow, reason: string) => void;
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const { log } = options;
  const window = new BrowserWindow(windowOptions(options.preload, options.dark));
  const contents = window.webContents;
  lockNavigation(contents);
  // A page cannot hold its window open, nor the application with it.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  contents.once('did-finish-load', () => options.onLoaded());
  reloadAfterCrash(window, options);
  contents.on('unresponsive', () => log('the page does not respond'));
  contents.on('responsive', () => log('the page responds again'));

  window.loadURL(PAGE_URL).catch((cause: unknown) => {
    if (window.isDestroyed()) return;
    log(`the page did not load: ${String(cause)}`);
    // An empty window can be closed; one that never comes cannot.
    window.show();
  });
  return window;
}

/** Runs continue in main; the page that comes back watches them again. */
function reloadAfterCrash(window: BrowserWindow, { clock, log, onCrashLoop }: WindowOptions): void {
  let lastCrash = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const looping = clock() - lastCrash < CRASH_LOOP_MS;
    lastCrash = clock();
    log(`the page ended: ${reason}`);
    if (looping) onCrashLoop(window, reason);
    else window.webContents.reload();
  });
}

/** Links to the web are opened through the contract, in the system's own browser. */
function lockNavigation(contents: WebContents): void {
  contents.on('will-navigate', refuseToLeave);
  contents.on('will-frame-navigate', refuseToLeave);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** The page may reload itself, as its error boundary offers. */
function refuseToLeave(details: Event<{ url: string; isMainFrame: boolean }>): void {
  if (!(details.isMainFrame && isPage(details.url))) details.preventDefault();
}
