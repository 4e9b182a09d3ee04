/** Abstracts timers, so that tests control time. */
export interface Timer {
  /** Calls `work` once after `delayMs`, unless the returned function is called first. */
  after(delayMs: number, work: () => void): () => void;
}

export interface Delayed {
  /** Ignored while the work is pending. */
  start(delayMs: number): void;
  cancel(): void;
  /** Cancels the work and ignores later starts. */
  close(): void;
}

/** Schedules `work` once; starting again while it is pending doesn't change the time. */
export function createDelayed(timer: Timer, work: () => void): Delayed {
  let cancel: (() => void) | null = null;
  let isClosed = false;
  const delayed: Delayed = {
    start(delayMs: number): void {
      if (isClosed) return;
      cancel ??= timer.after(delayMs, () => {
        cancel = null;
        work();
      });
    },
    cancel(): void {
      cancel?.();
      cancel = null;
    },
    close(): void {
      isClosed = true;
      delayed.cancel();
    },
  };
  return delayed;
}

/** Delay before a failed write to a full disk is retried. */
export const RETRY_MS = 1000;

export const systemTimer: Timer = {
  after(delayMs, work) {
    const handle = setTimeout(work, delayMs);
    return () => clearTimeout(handle);
  },
};
