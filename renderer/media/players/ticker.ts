export type TimeListener = (seconds: number) => void;

export interface Ticker {
  /** The position, each animation frame while it plays and after each jump. Answers the end of it. */
  subscribe(listener: TimeListener): () => void;
}

export interface PlaybackTicker extends Ticker {
  start(element: HTMLMediaElement): void;
  stop(): void;
  tick: TimeListener;
  /** Pauses there, once; null: plays on. */
  stopAt(seconds: number | null): void;
}

export function createTicker(): PlaybackTicker {
  const listeners = new Set<TimeListener>();
  let frame = 0;
  let endSeconds: number | null = null;

  function tick(seconds: number): void {
    for (const listener of listeners) listener(seconds);
  }

  function stop(): void {
    cancelAnimationFrame(frame);
    endSeconds = null;
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(element) {
      cancelAnimationFrame(frame);
      const next = () => {
        if (element.paused) return;
        if (endSeconds !== null && element.currentTime >= endSeconds) {
          element.pause();
          return;
        }
        tick(element.currentTime);
        frame = requestAnimationFrame(next);
      };
      frame = requestAnimationFrame(next);
    },
    stop,
    tick,
    stopAt(seconds) {
      endSeconds = seconds;
    },
  };
}
