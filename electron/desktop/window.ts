/** Creates the only window, whose page can't navigate or embed pages, and whose links open outside. */

import { join } from 'node:path';
import {
  type App,
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  type Event,
  type NativeImage,
  nativeImage,
  type WebContents,
} from 'electron';
import type { Timer } from '../base/timer.ts';
import linuxIcon from '../resources/icons/256x256.png?inline';
import { offerContextMenu } from './context-menu.ts';
import { isPage, PAGE_URL } from './page-protocol.ts';
import { watchUnresponsive } from './page-watchdog.ts';
import type { WindowMemory } from './window-state.ts';

/**
 * Shows the window after this time, because it may never paint while hidden on Wayland
 * (electron#48859).
 */
const SHOW_MS = 2_000;
/** Chromium reports `ERR_ABORTED` if the page reloads or navigates while it is loading. */
const ABORTED = -3;
/** A page that crashes again within this time isn't reloaded. */
const CRASH_LOOP_MS = 10_000;

type Look = Pick<WindowOptions, 'preload' | 'dark' | 'icon'>;

function getWindowOptions(
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
    // Matches the canvas color in tokens.css to avoid a flash before the first paint.
    backgroundColor: dark ? '#0e0f12' : '#f7f7f9',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // Throttling doesn't affect streams and polls, which run in the main process.
      backgroundThrottling: true,
      spellcheck: true,
    },
  };
}

export interface WindowOptions {
  preload: string;
  dark: boolean;
  icon: NativeImage | string | null;
  memory: WindowMemory;
  /** Opens a web or mail address outside, and ignores any other. */
  openLink: (url: string) => void;
  clock: () => number;
  timer: Timer;
  log: (line: string) => void;
  onShown: () => void;
  /** Called with the end of a sentence if the page or its preload script can't load. */
  onFailure: (reason: string) => void;
  onCrashLoop: (reason: string) => void;
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const place = options.memory.place();
  const window = new BrowserWindow(getWindowOptions(options, place));
  options.memory.follow(window);
  const contents = window.webContents;
  lockNavigation(contents, options.openLink);
  // Don't let the page prevent its window from closing.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  showOnce(window, place.maximized, options);
  reportFailures(contents, options);
  offerContextMenu(window, options);
  reloadAfterCrash(window, options);
  watchUnresponsive(window, options);

  // `did-fail-load` reports this error.
  window.loadURL(PAGE_URL).catch(() => undefined);
  return window;
}

/** Shows the window after the first paint, after load or after a timeout. */
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
    // `maximize` also shows the window.
    if (maximized) window.maximize();
    window.show();
    onShown();
  }
  window.once('ready-to-show', show);
  window.webContents.once('did-finish-load', show);
  window.once('closed', settle);
}

/** Chromium also emits `did-finish-load` after a failure (electron#5128). */
function reportFailures(contents: WebContents, { onFailure }: WindowOptions): void {
  contents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return;
    onFailure(`its page couldn’t be loaded: ${description} (${code}) loading '${url}'`);
  });
  contents.on('preload-error', (_event, _path, { message }) =>
    onFailure(`its preload script failed: ${message}`),
  );
}

/** Reloads a crashed page, which resumes watching the runs in the main process. */
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

/** Passes links on instead of opening windows. */
function lockNavigation(contents: WebContents, openLink: (url: string) => void): void {
  contents.on('will-navigate', refuseToLeave);
  contents.on('will-frame-navigate', refuseToLeave);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url);
    return { action: 'deny' };
  });
}

function refuseToLeave(details: Event<{ url: string; isMainFrame: boolean }>): void {
  if (!(details.isMainFrame && isPage(details.url))) details.preventDefault();
}

/**
 * Returns the icon where the system would show another: from source, the Electron binary's, and on
 * Linux none for an AppImage that isn't integrated. An installed app has no image files.
 */
export function getWindowIcon(
  app: Pick<App, 'isPackaged' | 'getAppPath'>,
  platform: NodeJS.Platform,
): NativeImage | string | null {
  if (platform === 'linux') return nativeImage.createFromDataURL(linuxIcon);
  if (app.isPackaged) return null;
  const file = platform === 'win32' ? 'icon.ico' : 'icon.png';
  return join(app.getAppPath(), 'electron', 'resources', file);
}
