/** The one window of Gatehouse, whose page stays where it is: no navigation, no new windows, no embedded pages. */
import {
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  type Event,
  type WebContents,
} from 'electron';
import type { Timer } from '../storage/timer.ts';
import { offerContextMenu } from './context-menu.ts';
import { isPage, PAGE_URL } from './page-address.ts';
import { watchUnresponsive } from './unresponsive-page.ts';
import type { WindowMemory } from './window-state.ts';

/** A window is shown by then, whatever its page does: on Wayland one that is hidden may never paint (electron#48859). */
const SHOW_MS = 2_000;
/** Chromium's `ERR_ABORTED`: the page was reloaded or left before it was there. */
const ABORTED = -3;
/** A page that dies again this soon is not loaded another time. */
const CRASH_LOOP_MS = 10_000;

type Look = Pick<WindowOptions, 'preload' | 'dark' | 'icon'>;

function windowOptions(
  { preload, dark, icon }: Look,
  { bounds, smallest }: ReturnType<WindowMemory['place']>,
): BrowserWindowConstructorOptions {
  return {
    ...bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    ...(icon === null ? {} : { icon }),
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
      spellcheck: true,
    },
  };
}

export interface WindowOptions {
  preload: string;
  dark: boolean;
  /** A file, where the program has none of its own. */
  icon: string | null;
  memory: WindowMemory;
  /** Milliseconds, never going back. */
  clock: () => number;
  timer: Timer;
  log: (line: string) => void;
  onShown: () => void;
  /** Called when the page could not be loaded or cannot reach main; the reason is the end of a sentence. */
  onFailure: (reason: string) => void;
  /** Called when the page keeps ending and is not loaded again by itself. */
  onCrashLoop: (reason: string) => void;
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const { log } = options;
  const place = options.memory.place();
  const window = new BrowserWindow(windowOptions(options, place));
  options.memory.follow(window);
  const contents = window.webContents;
  lockNavigation(contents);
  // A page cannot hold its window open, nor the application with it.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  showOnce(window, place.maximized, options);
  reportFailures(contents, options);
  offerContextMenu(window, log);
  reloadAfterCrash(window, options);
  watchUnresponsive(window, options);

  // What did not load is told by an event, as at every later load.
  window.loadURL(PAGE_URL).catch(() => undefined);
  return window;
}

/** When its page is painted, has loaded or has failed, or takes too long: one that is empty can at least be closed. */
function showOnce(
  window: BrowserWindow,
  maximized: boolean,
  { timer, onShown }: WindowOptions,
): void {
  let settled = false;
  const stopTimer = timer.after(SHOW_MS, show);
  function settle(): void {
    settled = true;
    stopTimer();
  }
  function show(): void {
    if (settled) return;
    settle();
    // It shows the window too, so not before.
    if (maximized) window.maximize();
    window.show();
    onShown();
  }
  window.once('ready-to-show', show);
  window.webContents.once('did-finish-load', show);
  window.once('closed', settle);
}

/** `did-finish-load` follows a failure too (electron#5128): it says nothing about success. */
function reportFailures(contents: WebContents, { onFailure }: WindowOptions): void {
  contents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return;
    onFailure(`its page could not be loaded: ${description} (${code}) loading '${url}'`);
  });
  contents.on('preload-error', (_event, _path, { message }) =>
    onFailure(`its preload script failed: ${message}`),
  );
}

/** Runs continue in main; the page that comes back watches them again. */
function reloadAfterCrash(window: BrowserWindow, { clock, log, onCrashLoop }: WindowOptions): void {
  let lastCrash = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const looping = clock() - lastCrash < CRASH_LOOP_MS;
    lastCrash = clock();
    log(`the page ended: ${reason}`);
    if (looping) onCrashLoop(reason);
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
