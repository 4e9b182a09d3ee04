/** Flushes data immediately if the page has rested since the last flush, or else in the next frame. */

/** After a flush, rest for as long as the flush took, and at least this long. */
const MIN_REST_MS = 4;
/** Use a timer if the page is hidden, because it gets no animation frames. */
const HIDDEN_MS = 100;

export interface FlushPace {
  /** Call when new data is waiting. */
  flushSoon(): void;
  /** Flushes in the next frame. */
  later(): void;
}

/** `flush` shows some or all of the waiting data and may call `later`. */
export function createFlushPace(flush: () => void): FlushPace {
  let cancelFlush: (() => void) | null = null;
  let restedAt = Number.NEGATIVE_INFINITY;

  function show(): void {
    cancelFlush?.();
    cancelFlush = null;
    const startedAt = performance.now();
    flush();
    // React renders in an earlier microtask.
    queueMicrotask(() => {
      const endedAt = performance.now();
      restedAt = endedAt + Math.max(MIN_REST_MS, endedAt - startedAt);
    });
  }

  function later(): void {
    cancelFlush?.();
    if (document.hidden) {
      const timer = setTimeout(show, HIDDEN_MS);
      cancelFlush = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(show);
      cancelFlush = () => cancelAnimationFrame(frame);
    }
  }

  // The requested frame wouldn't run until the page is visible again.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && cancelFlush !== null) show();
  });

  return {
    flushSoon() {
      if (performance.now() >= restedAt && !document.hidden) queueMicrotask(show);
      else later();
    },
    later,
  };
}
