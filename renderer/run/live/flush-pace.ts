/** Shows arrived data at once if the page has time, otherwise after a rest or with the next frame. */

/** After a flush the page rests as long as the flush took, and at least this. */
const MIN_REST_MS = 4;
/** A hidden page draws no frames, so a timer replaces them. */
const HIDDEN_MS = 100;

export interface FlushPace {
  /** New data is waiting. */
  arrived(): void;
  /** Flushes with the next frame. */
  later(): void;
}

/** `flush` shows some or all of the waiting data, and may call `later`. */
export function createFlushPace(flush: () => void): FlushPace {
  let cancelFlush: (() => void) | null = null;
  let isRested = true;
  /** Waiting data may be shown before the requested frame. */
  let isAwaited = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    cancelFlush?.();
    cancelFlush = null;
    isRested = false;
    isAwaited = false;
    const startedAt = performance.now();
    flush();
    // React renders in an earlier microtask, and a busy page runs the timer later.
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

  // A requested frame comes only once the page is visible again.
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
