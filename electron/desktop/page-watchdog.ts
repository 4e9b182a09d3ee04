/** Offers to reload a page that is of no use: it keeps crashing, or it is there and stays blank. */
import type { BrowserWindow } from 'electron';
import type { Timer } from '../storage/timer.ts';
import type { PageFailureKind } from './failure-dialogs.ts';

/** So long a page may take to reach main, on a slow computer too. */
const CONNECT_MS = 20_000;

export interface PageRescueOptions {
  timer: Timer;
  log: (line: string) => void;
  /** False while a launcher waits, which opens the browser host instead. */
  asks: () => boolean;
  /** Whether the page is to be loaded again; not once `signal` has aborted. */
  offerReload: (
    window: BrowserWindow,
    trouble: PageFailureKind,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

export interface PageRescue {
  /** Call with each window that is opened. */
  follow(window: BrowserWindow): void;
  /** Its page has reached main. */
  connected(): void;
  /** Its page has let go of main: it is reloaded, or has ended. */
  disconnected(): void;
  keepsCrashing(): void;
}

export function createPageRescue({ timer, log, asks, offerReload }: PageRescueOptions): PageRescue {
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
      log(`the page has not connected for ${CONNECT_MS / 1000} s`);
      if (asks()) ask('blank');
    });
  }

  function ask(trouble: PageFailureKind): void {
    const window = current;
    if (window === null || question !== null) return;
    stopTimer();
    const asked = new AbortController();
    question = asked;
    offerReload(window, trouble, asked.signal)
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
    follow(window) {
      current = window;
      wait();
      window.once('closed', () => {
        current = null;
        settle();
      });
    },
    connected: settle,
    disconnected: wait,
    keepsCrashing: () => ask('crashing'),
  };
}
