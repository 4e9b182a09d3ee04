/** Detects that the computer has slept, without a system event. */
import type { Timer } from '../storage/timer.ts';

const LOOK_MS = 5_000;
/** Longer than a busy process is ever late. */
const LATE_MS = 10_000;

export interface SleepWatchOptions {
  timer: Timer;
  /** The time of day, which continues during sleep and may be set by the user. */
  wallClock: () => number;
  /** Monotonic; it stops during sleep except on Windows. */
  clock: () => number;
  onWake: () => void;
}

/** Returns a function that stops it. A suspended process also counts as sleep. */
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
