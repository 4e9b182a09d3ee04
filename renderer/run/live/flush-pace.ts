/**
 * Paces updates of the page, so that it keeps as much time for other work as the last update cost.
 * An update costs the time of its flush, and the time from the start of the next animation frame to
 * the task after it: style, layout and paint. Waiting for the frame costs nothing.
 */

/** A page that renders faster than this has time for every update. */
const FREE_COST_MS = 4;
const MAX_PAUSE_MS = 100;
/** Use a timer if the page is hidden, because it gets no animation frames. */
const HIDDEN_MS = 100;

export interface FlushPace {
  /** Flushes at once if the page has time, and otherwise after the pause. Call when data is waiting. */
  flushSoon(): void;
  /** Flushes at once. Call for data that ends a run. */
  flushNow(): void;
}

/** `flush` shows some or all of the waiting data and may call `flushSoon`. */
export function createFlushPace(flush: () => void): FlushPace {
  /** The current step of the last update. */
  let step: 'rested' | 'flush' | 'paint' | 'pause' = 'rested';
  let isWaiting = false;
  let cancelStep = (): void => {};
  /** Carries a message to the first task after a frame. */
  const { port1, port2 } = new MessageChannel();

  function begin(next: typeof step, cancel: () => void): void {
    step = next;
    cancelStep = cancel;
  }

  function show(): void {
    cancelStep();
    isWaiting = false;
    let isCancelled = false;
    begin('flush', () => {
      isCancelled = true;
    });
    const startedAt = performance.now();
    flush();
    // React renders in an earlier microtask.
    queueMicrotask(() => {
      if (!isCancelled) measurePaint(performance.now() - startedAt);
    });
  }

  function measurePaint(flushMs: number): void {
    if (document.hidden) {
      pause(HIDDEN_MS);
      return;
    }
    const frame = requestAnimationFrame(() => {
      const frameAt = performance.now();
      port1.onmessage = () => {
        port1.onmessage = null;
        const costMs = flushMs + performance.now() - frameAt;
        pause(costMs < FREE_COST_MS ? 0 : Math.min(costMs, MAX_PAUSE_MS));
      };
      port2.postMessage(null);
    });
    begin('paint', () => {
      cancelAnimationFrame(frame);
      port1.onmessage = null;
    });
  }

  function pause(ms: number): void {
    const timer = ms === 0 ? null : setTimeout(rest, ms);
    begin('pause', () => clearTimeout(timer ?? undefined));
    if (timer === null) rest();
  }

  function rest(): void {
    begin('rested', () => {});
    if (isWaiting) show();
  }

  // The pending frame would come only once the page is visible again.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden || step === 'rested') return;
    if (isWaiting) show();
    else if (step === 'paint') {
      cancelStep();
      pause(HIDDEN_MS);
    }
  });

  return {
    flushSoon() {
      if (isWaiting) return;
      isWaiting = true;
      if (step !== 'rested') return;
      if (document.hidden) pause(HIDDEN_MS);
      else flushInMicrotask();
    },
    flushNow: flushInMicrotask,
  };

  /** Joins the updates that arrive in one task. */
  function flushInMicrotask(): void {
    cancelStep();
    let isCancelled = false;
    begin('flush', () => {
      isCancelled = true;
    });
    queueMicrotask(() => {
      if (!isCancelled) show();
    });
  }
}
