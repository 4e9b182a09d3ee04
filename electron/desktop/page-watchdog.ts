/** Offers to reload a page that crashes repeatedly, stays blank or stops responding. */
import { type BrowserWindow, dialog } from 'electron';
import type { Timer } from '../base/timer.ts';

/** Allows time for a slow computer to connect. */
const CONNECT_MS = 20_000;

type PageFailure = 'blank' | 'crashing';

const MESSAGES: Record<PageFailure, string> = {
  blank: 'The Gatehouse window didn’t finish loading.',
  crashing: 'The Gatehouse window keeps crashing.',
};

export interface PageWatchdogOptions {
  timer: Timer;
  log: (line: string) => void;
  /** Returns false if a waiting launcher can open the browser version instead. */
  canAsk: () => boolean;
  quit: () => void;
  showLog: () => void;
}

export interface PageWatchdog {
  /** Watches a new window until it closes. */
  follow(window: BrowserWindow): void;
  /** Call this when the page connects to the main process. */
  connected(): void;
  /** Call this when the page closes its port to reload or exit. */
  disconnected(): void;
  /** Call this when the page crashes again. */
  keepsCrashing(): void;
}

export function createPageWatchdog(options: PageWatchdogOptions): PageWatchdog {
  const { timer, log } = options;
  let current: BrowserWindow | null = null;
  let question: AbortController | null = null;
  let stopTimer: () => void = () => undefined;

  function settle(): void {
    stopTimer();
    question?.abort();
    question = null;
  }

  function wait(): void {
    if (current === null || question !== null) return;
    stopTimer();
    stopTimer = timer.after(CONNECT_MS, () => {
      log(`the page hasn’t connected for ${CONNECT_MS / 1000} s`);
      if (options.canAsk()) offerReload('blank');
    });
  }

  function offerReload(failure: PageFailure): void {
    const window = current;
    if (window === null || question !== null) return;
    stopTimer();
    const asked = new AbortController();
    question = asked;
    askToReload(window, failure, asked.signal, options)
      .catch((cause: unknown) => {
        log(`offering to reload: ${String(cause)}`);
        return false;
      })
      .then((again) => {
        if (question === asked) question = null;
        if (!again) return;
        wait();
        window.webContents.reload();
      });
  }

  return {
    follow(window: BrowserWindow): void {
      current = window;
      wait();
      window.once('closed', () => {
        current = null;
        settle();
      });
    },
    connected: settle,
    disconnected: wait,
    keepsCrashing: () => offerReload('crashing'),
  };
}

async function askToReload(
  window: BrowserWindow,
  failure: PageFailure,
  signal: AbortSignal,
  { quit, showLog }: PageWatchdogOptions,
): Promise<boolean> {
  for (;;) {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: MESSAGES[failure],
      detail:
        'Runs continue in the background. Reload the window, or quit; partial results are kept.',
      buttons: ['Reload', 'Show log file', 'Quit'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal,
    });
    if (signal.aborted) return false;
    if (response === 0) return true;
    if (response === 1) showLog();
    else {
      quit();
      return false;
    }
  }
}

/** After a wake-up, a page may seem unresponsive for a moment. */
const GRACE_MS = 3_000;
const ASK_AGAIN_MS = 30_000;

export interface HungPageOptions {
  timer: Timer;
  log: (line: string) => void;
}

export function watchUnresponsive(window: BrowserWindow, { timer, log }: HungPageOptions): void {
  const contents = window.webContents;
  let stopTimer: (() => void) | null = null;
  let question: AbortController | null = null;

  function over(): void {
    stopTimer?.();
    stopTimer = null;
    question?.abort();
    question = null;
  }

  function scheduleQuestion(delayMs: number): void {
    stopTimer?.();
    stopTimer = timer.after(delayMs, () => {
      ask().catch((cause: unknown) => log(`asking about a page that hangs: ${String(cause)}`));
    });
  }

  async function ask(): Promise<void> {
    const asked = new AbortController();
    question = asked;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'The Gatehouse window isn’t responding.',
      detail: 'Runs continue in the background. Wait, or reload the window. Your text is kept.',
      buttons: ['Wait', 'Reload'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: asked.signal,
    });
    if (asked.signal.aborted || window.isDestroyed()) return;
    // Crash the page, which then reloads; a normal reload would wait for it to respond.
    if (response === 1) contents.forcefullyCrashRenderer();
    else scheduleQuestion(ASK_AGAIN_MS);
  }

  contents.on('unresponsive', () => {
    log('the page doesn’t respond');
    if (question === null) scheduleQuestion(GRACE_MS);
  });
  contents.on('responsive', () => {
    log('the page responds again');
    over();
  });
  contents.on('render-process-gone', over);
  window.once('closed', over);
}
