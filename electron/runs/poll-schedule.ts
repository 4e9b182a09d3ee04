/** When tasks are polled: growing pauses for each, and a cap for all of them together. */

const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 15_000;
const GROWTH = 1.35;
/** Up to this part of a pause is added or subtracted, so that tasks do not poll in step. */
const JITTER = 0.15;

/** Milliseconds before poll number `count` (from 0). `random` is from 0 to 1. */
export function pollDelayMs(count: number, random: number): number {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** count);
  return pause * (1 - JITTER + 2 * JITTER * random);
}

/** How this process polls tasks; tests make it fast and repeatable. */
export interface Polling {
  /** All polls together: at most one each so many milliseconds. */
  spacingMs: number;
  /** From 0 to 1, for the jitter of the pauses. */
  random(): number;
  /** How long a pause that should take `ms` is made. */
  pauseMs(ms: number): number;
}

export const defaultPolling: Polling = {
  spacingMs: 250,
  random: Math.random,
  pauseMs: (ms) => ms,
};

export interface PollSchedule {
  /** Resolves when one more poll may go out. */
  turn(): Promise<void>;
}

/** All polls of this process: at most one each `spacingMs`. */
export function createPollSchedule(
  spacingMs: number,
  clock: () => number,
  pause: (ms: number) => Promise<void>,
): PollSchedule {
  let nextAt = 0;
  return {
    async turn() {
      const at = Math.max(clock(), nextAt);
      nextAt = at + spacingMs;
      const wait = at - clock();
      if (wait > 0) await pause(wait);
    },
  };
}
