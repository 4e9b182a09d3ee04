/** Gives up on work that may wait for ever, such as a keyring's prompt that nobody sees. */
import type { Timer } from '../storage/timer.ts';

export class TimedOut extends Error {}

/** Rejects with `TimedOut` after `limitMs`; what the work does later is ignored. */
export function withinTime<Result>(
  work: Promise<Result>,
  limitMs: number,
  timer: Timer,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = timer.after(limitMs, () => reject(new TimedOut()));
    work.then(resolve, reject).finally(cancel);
  });
}
