/** Reads the runs of a comparison in steps, so that thousands of them don't block. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { RunSummary } from '../../shared/run.ts';
import type { Ledger } from '../storage/ledger.ts';

export type RunReader = Pick<Ledger, 'getAttempts' | 'getOutcomes'>;

/** Reading this many runs takes a few milliseconds. */
const RUNS_PER_STEP = 100;

/** Yields the newest run of each request, in the order of sending. */
export async function* readAttempts(
  ledger: RunReader,
  comparisonId: string,
): AsyncGenerator<RunSummary, void> {
  const places = ledger.getOutcomes(comparisonId, null).map(({ cell }) => cell);
  for (let from = 0; from < places.length; from += RUNS_PER_STEP) {
    yield* ledger.getAttempts(comparisonId, places.slice(from, from + RUNS_PER_STEP));
    await breathe();
  }
}
