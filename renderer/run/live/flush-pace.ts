/** Flushes data immediately if the page is idle, or else after a pause or in the next frame. */

/** After a flush, pause for as long as the flush took, and at least this long. */
const MIN_REST_MS = 4;
/** Use a timer if the page is hidden, because it gets no animation frames. */
const HIDDEN_MS = 100;

export interface FlushPace {
  /** Call when new data is waiting. */
  arrived(): void;
  /** Flushes in the next frame. */
  later(): void;
}

/** `flush` shows some or all of the waiting data and may call `later`. */
export function createFlushPace(flush: () => void): FlushPace {
  let cancelFlush: (() => void) | null = null;
  let isRested = true;
  /** A flush may run before the requested frame. */
  let isAwaited = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    cancelFlush?.();
    cancelFlush = null;
    isRested = false;
    isAwaited = false;
    const startedAt = performance.now();
    flush();
    // React renders in an earlier microtask, and a busy page delays this timer.
    queueMicrotask(() => {
      clearTimeout(resting);
      const tookMs = performance.now() - startedAt;
      resting = setTimeout(
        () => {
          isRested = true;
          if (isAwaited && !document.hidden) show();
        },
        Math.max(MIN_REST_MS, tookMs),
      );
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
    arrived() {
      if (isRested && !document.hidden) {
        queueMicrotask(show);
        return;
      }
      later();
      isAwaited = true;
    },
    later,
  };
}
