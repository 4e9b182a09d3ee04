/** Notices that the computer has slept, where no system event says so. */
import type { Timer } from '../storage/timer.ts';

const LOOK_MS = 5_000;
/** No process that is merely busy is this late. */
const LATE_MS = 10_000;

export interface SleepWatchOptions {
  timer: Timer;
  /** Milliseconds of the day; it continues during sleep, and its user may set it. */
  wallClock: () => number;
  /** Milliseconds, never going back; it stops during sleep except on Windows. */
  clock: () => number;
  onWake: () => void;
}

/** Returns a function that stops it. A process that was stopped, or a clock that was set forward, counts as sleep too. */
export function watchForSleep(options: SleepWatchOptions): () => void {
  const { timer, wallClock, clock, onWake } = options;
  let stopTimer = look(readClocks());

  function readClocks(): [wall: number, steady: number] {
    return [wallClock(), clock()];
  }

  function look([wallBefore, before]: [wall: number, steady: number]): () => void {
    return timer.after(LOOK_MS, () => {
      const [wall, steady] = readClocks();
      const elapsedMs = Math.max(wall - wallBefore, steady - before);
      stopTimer = look([wall, steady]);
      if (elapsedMs > LOOK_MS + LATE_MS) onWake();
    });
  }

  return () => stopTimer();
}
