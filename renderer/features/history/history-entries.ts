import type { ListedComparison } from '../../../shared/comparison.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { isStoppedByDeletion } from '../../run/live/deletion-words.ts';

/** A row of the history: a run, or a comparison, of which `run` is the newest that matches. */
export interface HistoryEntry {
  /** Of the comparison, else of the run. */
  id: string;
  run: RunSummary;
  comparison: ListedComparison | null;
}

export type ComparisonsById = ReadonlyMap<string, ListedComparison>;

export function getEntry(run: RunSummary, comparisons: ComparisonsById): HistoryEntry {
  const comparison = comparisons.get(run.comparisonId ?? '') ?? null;
  return { id: comparison?.id ?? run.id, run, comparison };
}

/** Whether a request is stopped, or never sent, when this is deleted. */
export function isUnfinished({ run, comparison }: HistoryEntry): boolean {
  return comparison === null
    ? isStoppedByDeletion(run)
    : comparison.running + comparison.unsent > 0;
}
