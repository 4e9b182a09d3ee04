/** Offers to reload a page that no longer responds; runs are main's, and continue meanwhile. */
import { type BrowserWindow, dialog } from 'electron';
import type { Timer } from '../storage/timer.ts';

/** After the computer wakes, a page seems to hang that only is slow to come back. */
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

  function askAfter(delayMs: number): void {
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
      message: 'The Gatehouse window is not responding.',
      detail: 'Runs continue in the background. Wait, or reload the window. Your text is kept.',
      buttons: ['Wait', 'Reload'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: asked.signal,
    });
    if (asked.signal.aborted || window.isDestroyed()) return;
    // A reload would wait for the page that hangs. What ended is loaded again.
    if (response === 1) contents.forcefullyCrashRenderer();
    else askAfter(ASK_AGAIN_MS);
  }

  contents.on('unresponsive', () => {
    log('the page does not respond');
    if (question === null) askAfter(GRACE_MS);
  });
  contents.on('responsive', () => {
    log('the page responds again');
    over();
  });
  contents.on('render-process-gone', over);
  window.once('closed', over);
}
