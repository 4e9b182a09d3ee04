/** Passes delayed work as an argument, so that tests control the time. */
export interface Timer {
  /** Calls `work` once after `delayMs` unless the returned function cancels the call. */
  after(delayMs: number, work: () => void): () => void;
}

/** Work that runs once later; starting it again while it waits doesn't change its time. */
export interface Delayed {
  start(delayMs: number): void;
  cancel(): void;
}

export function createDelayed(timer: Timer, work: () => void): Delayed {
  let cancel: (() => void) | null = null;
  return {
    start(delayMs) {
      cancel ??= timer.after(delayMs, () => {
        cancel = null;
        work();
      });
    },
    cancel() {
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
