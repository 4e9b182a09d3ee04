/** Yields during long work, so that other runs and the page stay responsive. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Reading this many characters takes a few milliseconds when the code runs for the first time. */
const MAX_BLOCKING_LENGTH = 64 * 1024;

export async function yieldToEventLoop(length: number): Promise<void> {
  if (length > MAX_BLOCKING_LENGTH) await nextTurn();
}

const MAX_STEP_MS = 4;

/** Runs `work` to its end, and yields whenever it has taken a few milliseconds. */
export async function runInSteps(work: Iterable<unknown>): Promise<void> {
  let startedAt = performance.now();
  for (const _step of work) {
    if (performance.now() - startedAt < MAX_STEP_MS) continue;
    await nextTurn();
    startedAt = performance.now();
  }
}
