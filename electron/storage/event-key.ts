/** Where the events of all runs are found, in the ledger and in the file of frames: run and number in one integer. */

/** More events than a run can have: the numbers stay exact for more runs than a ledger can have. */
const KEYS_OF_RUN = 2 ** 26;

/**
 * `run` is the run's `row` in the ledger. As the key of a table it spares an index, which would be another page to
 * write. SQLite also compares integers alone on its way to a row: with a key of several columns it reads the bodies
 * that it passes, which can be tens of megabytes.
 */
export function eventKey(run: number, seq: number): number {
  return run * KEYS_OF_RUN + Math.min(seq, KEYS_OF_RUN - 1);
}

export function seqOfKey(key: number): number {
  return key % KEYS_OF_RUN;
}

/** The first and the last key that a run's events can have. */
export function getKeys(run: number): [first: number, last: number] {
  return [eventKey(run, 0), eventKey(run, KEYS_OF_RUN)];
}
