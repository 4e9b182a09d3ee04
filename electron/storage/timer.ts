/** Delayed work as an argument, so that tests decide when it happens. */
export interface Timer {
  /** Calls `work` once after `delayMs`, unless the returned function is called before. */
  after(delayMs: number, work: () => void): () => void;
}

/** Between two tries to write to a disk that refuses. */
export const RETRY_MS = 1000;

export const systemTimer: Timer = {
  after(delayMs, work) {
    const handle = setTimeout(work, delayMs);
    return () => clearTimeout(handle);
  },
};
