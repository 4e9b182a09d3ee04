/** When what has arrived is shown: at once where the page has time for it, else once it has, or with its next frame. */

/** After it has shown something, the page has as long for everything else as that took, and at least this. */
const MIN_REST_MS = 4;
/** A hidden page draws no frames, but what it shows continues. */
const HIDDEN_MS = 100;

export interface FlushPace {
  /** Something waits that nothing has been asked for yet. */
  arrived(): void;
  /** Not before the next frame. */
  later(): void;
}

/** `flush` shows what waits, or some of it; it may ask for `later`. */
export function createFlushPace(flush: () => void): FlushPace {
  let cancelFlush: (() => void) | null = null;
  let isRested = true;
  /** What has arrived need not wait for the frame that was asked for. */
  let isAwaited = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    cancelFlush?.();
    cancelFlush = null;
    isRested = false;
    isAwaited = false;
    const startedAt = performance.now();
    flush();
    // Behind React, which renders in a microtask; a page with more to do gets to the timer later.
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

  // The frame that was awaited comes only when the page is seen again.
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
