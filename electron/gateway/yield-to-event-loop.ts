/** Pauses between the steps of what takes long, so that other runs and the page are served meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A step over so many characters takes a few milliseconds. */
const LONG = 512 * 1024;

/** Between two steps over a text of this length: parsing, redacting or storing it. */
export async function yieldToEventLoop(length: number): Promise<void> {
  if (length > LONG) await nextTurn();
}
