/** The one window of Gatehouse. */
import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import { lockNavigation } from './navigation.ts';
import { PAGE_URL } from './page-address.ts';

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
  /** Where the page is; `npm run dev` names its own server. */
  url?: string;
  dark: boolean;
  now: () => number;
  log: (line: string) => void;
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const { log, now, url = PAGE_URL } = options;
  const window = new BrowserWindow(windowOptions(options.preload, options.dark));
  const contents = window.webContents;
  lockNavigation(contents);
  window.once('ready-to-show', () => window.show());

  let lastCrash = Number.NEGATIVE_INFINITY;
  contents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return;
    log(`the page ended: ${details.reason}`);
    const looping = now() - lastCrash < CRASH_LOOP_MS;
    lastCrash = now();
    // Runs go on in main; the page that comes back watches them again.
    if (!looping) contents.reload();
  });
  contents.on('unresponsive', () => log('the page does not respond'));

  window.loadURL(url).catch((cause: unknown) => log(`the page did not load: ${String(cause)}`));
  return window;
}
