/** Detects sleep of the computer without a system event. */
import type { Timer } from '../storage/timer.ts';

const LOOK_MS = 5_000;
/** Even a busy process is never this late. */
const LATE_MS = 10_000;

export interface SleepWatchOptions {
  timer: Timer;
  /** The time of day continues during sleep, and the user may set the clock. */
  wallClock: () => number;
  /** The monotonic clock stops during sleep except on Windows. */
  clock: () => number;
  onWake: () => void;
}

/** Returns a function that stops the watch; a suspended process also counts as asleep. */
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
