/** Simulated time: real by default, faster in tests. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Simulated milliseconds since the gateway started. */
  now: () => number;
  /** Waits simulated milliseconds; rejects with an AbortError at once when the client has gone. */
  wait: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

/** `speed` 10 makes ten simulated seconds pass in a real one. */
export function createPace(speed: number): Pace {
  const startedAt = performance.now();
  return {
    now: () => (performance.now() - startedAt) * speed,
    wait: async (durationMs, signal) => {
      await sleep(durationMs / speed, undefined, { signal });
    },
  };
}
