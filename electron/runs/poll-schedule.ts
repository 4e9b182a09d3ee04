/** Schedules polls of tasks with increasing pauses per task and an overall rate limit. */

const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 15_000;
const GROWTH = 1.35;
/** Random jitter, which prevents tasks from being polled in lockstep. */
const JITTER = 0.15;

export function getPollDelayMs(count: number, random: number): number {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** count);
  return pause * (1 - JITTER + 2 * JITTER * random);
}

/** Replaced in tests to make polling fast and deterministic. */
export interface Polling {
  spacingMs: number;
  random(): number;
  pauseMs(ms: number): number;
}

export const defaultPolling: Polling = {
  spacingMs: 250,
  random: Math.random,
  pauseMs: (ms) => ms,
};

export interface PollSchedule {
  turn(): Promise<void>;
}

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
