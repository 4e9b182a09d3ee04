/** Returns true if a run that ended has a usable result. */
import type { RunSummary } from './run.ts';

/** Also false while it continues, and for one that succeeded without a usable result. */
export function hasResult({ status, figures }: Pick<RunSummary, 'status' | 'figures'>): boolean {
  return status === 'succeeded' && (figures?.noResult ?? null) === null;
}
