/** Yields during long work, so that other runs and the page stay responsive. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Parsing or redacting this many characters takes a few milliseconds. */
const MAX_BLOCKING_LENGTH = 512 * 1024;

export async function yieldToEventLoop(length: number): Promise<void> {
  if (length > MAX_BLOCKING_LENGTH) await nextTurn();
}
