/** Detects sleep from gaps in the clocks, without a system event. */
import type { Timer } from '../base/timer.ts';

const LOOK_MS = 5_000;
/** Even a busy process is never delayed this long. */
const LATE_MS = 10_000;

export interface SleepWatchOptions {
  timer: Timer;
  /** Advances during sleep, but the user may set it. */
  wallClock: () => number;
  /** Monotonic clock, which stops during sleep except on Windows. */
  clock: () => number;
  onWake: () => void;
}

/** Returns a function that stops watching; a suspended process counts as asleep. */
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
