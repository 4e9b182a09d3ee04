/** Passes delayed work as an argument, so that tests control the time. */
export interface Timer {
  /** Calls `work` once after `delayMs` unless the returned function cancels the call. */
  after(delayMs: number, work: () => void): () => void;
}

/** Runs `work` once later; starting again while the work waits doesn't change its time. */
export function createDelayed(timer: Timer, work: () => void) {
  let cancel: (() => void) | null = null;
  return {
    start(delayMs: number): void {
      cancel ??= timer.after(delayMs, () => {
        cancel = null;
        work();
      });
    },
    cancel(): void {
      cancel?.();
      cancel = null;
    },
  };
}

/** Writes to a full disk are retried after this pause. */
export const RETRY_MS = 1000;

export const systemTimer: Timer = {
  after(delayMs, work) {
    const handle = setTimeout(work, delayMs);
    return () => clearTimeout(handle);
  },
};
