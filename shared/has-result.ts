/** Whether a run that ended brought something usable; free of zod, so that the page can use it. */
import type { RunSummary } from './run.ts';

/** Also false while it goes on, and for one that succeeded without a usable result. */
export function hasResult({ status, figures }: Pick<RunSummary, 'status' | 'figures'>): boolean {
  return status === 'succeeded' && (figures?.noResult ?? null) === null;
}
