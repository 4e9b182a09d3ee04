import { create } from 'zustand';
import type { ListedCheck } from '../../../shared/checks/check.ts';
import type { ListedComparison } from '../../../shared/comparison.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { newestFirst, type RunSort } from '../../../shared/run-sort.ts';
import { getDateBounds, type HistoryFilter } from '../../../shared/saved-run-filter.ts';
import { isStoppedByDeletion } from '../../run/live/deletion-text.ts';

/** Identifies both the Undo offers and the roving list. */
export const undoKey = 'history';

interface HistoryStore {
  filter: HistoryFilter;
  sort: RunSort;
  /** Null until the user selects a run or comparison. */
  shownId: string | null;
  shows: 'run' | 'comparison' | 'check';
  /** The comparison that the user opened the run from; the list highlights it. */
  within: string | null;
  marked: ReadonlySet<string>;
  /** The runs whose differences are shown; null if the list is shown. */
  compared: readonly [string, string] | null;
  /** The run that the next shown run can be compared with. */
  compareFrom: RunSummary | null;
  narrow: (change: Partial<HistoryFilter>) => void;
  showRun: (runId: string | null, within?: string) => void;
  showComparison: (comparisonId: string) => void;
  showCheck: (checkId: string) => void;
  sortBy: (sort: RunSort) => void;
  mark: (marked: ReadonlySet<string>) => void;
  compare: (runIds: readonly [string, string] | null) => void;
  setCompareFrom: (run: RunSummary | null) => void;
}

const everything: HistoryFilter = {
  search: '',
  operation: null,
  model: null,
  connectionId: null,
  status: null,
  dates: { kind: 'any' },
};
const none: ReadonlySet<string> = new Set();

export const useHistory = create<HistoryStore>()((set) => ({
  filter: everything,
  sort: newestFirst,
  shownId: null,
  shows: 'run',
  within: null,
  marked: none,
  compared: null,
  compareFrom: null,
  narrow: (change) => set(({ filter }) => ({ filter: { ...filter, ...change }, marked: none })),
  showRun: (shownId, within) => set({ shownId, shows: 'run', within: within ?? null }),
  showComparison: (shownId) => set({ shownId, shows: 'comparison', within: null }),
  showCheck: (shownId) => set({ shownId, shows: 'check', within: null }),
  sortBy: (sort) => set({ sort }),
  mark: (marked) => set({ marked }),
  compare: (compared) => set({ compared, compareFrom: null }),
  setCompareFrom: (compareFrom) => set({ compareFrom }),
}));

export function showEntry({ id, comparison, check }: HistoryEntry): void {
  const { showRun, showComparison, showCheck } = useHistory.getState();
  if (check !== null) showCheck(id);
  else if (comparison !== null) showComparison(id);
  else showRun(id);
}

export function clearFilters(): void {
  useHistory.getState().narrow(everything);
}

export function hasActiveFilter(filter: HistoryFilter): boolean {
  return (
    filter.search.trim() !== '' ||
    filter.operation !== null ||
    filter.model !== null ||
    filter.connectionId !== null ||
    filter.status !== null ||
    filter.dates.kind !== 'any'
  );
}

/** Converts the filter to the main process's format. */
export function getRunFilter({ dates, search, ...filter }: HistoryFilter) {
  return {
    ...filter,
    ...getDateBounds(dates, new Date()),
    search: search.trim().slice(0, 200),
  };
}

/** Returns the IDs between two rows, inclusive, in either direction. */
export function getIdsBetweenRows(ids: readonly string[], from: string, to: string): Set<string> {
  const start = ids.indexOf(from);
  const end = ids.indexOf(to);
  if (start === -1 || end === -1) return new Set([to]);
  return new Set(ids.slice(Math.min(start, end), Math.max(start, end) + 1));
}

export function toggle(marked: ReadonlySet<string>, id: string): Set<string> {
  const after = new Set(marked);
  if (!after.delete(id)) after.add(id);
  return after;
}

/** Returns the next remaining entry, else the previous one, or null if none remain. */
export function findAdjacentEntry(
  ids: readonly string[],
  deleted: ReadonlySet<string>,
  shown: string | null,
): string | null {
  if (shown === null || !deleted.has(shown)) return shown;
  const at = ids.indexOf(shown);
  const isLeft = (id: string) => !deleted.has(id);
  return ids.slice(at + 1).find(isLeft) ?? ids.slice(0, Math.max(0, at)).findLast(isLeft) ?? null;
}

/** An entry is a run, a comparison with its newest matching run, or a check with its first. */
export interface HistoryEntry {
  /** The ID of the check, comparison or run. */
  id: string;
  run: RunSummary;
  comparison: ListedComparison | null;
  check: ListedCheck | null;
}

/** Maps comparison IDs to what lists show in place of their runs. */
export interface RunGroups {
  comparisons: ReadonlyMap<string, ListedComparison>;
  checks: ReadonlyMap<string, ListedCheck>;
}

export function getEntry(run: RunSummary, { comparisons, checks }: RunGroups): HistoryEntry {
  const check = checks.get(run.comparisonId ?? '') ?? null;
  const comparison = check === null ? (comparisons.get(run.comparisonId ?? '') ?? null) : null;
  return { id: check?.id ?? comparison?.id ?? run.id, run, comparison, check };
}

/** Returns true if deleting the entry would stop requests or cancel unsent ones. */
export function isUnfinished({ run, comparison, check }: HistoryEntry): boolean {
  if (check !== null) return check.state === 'running' || check.state === 'held';
  return comparison === null
    ? isStoppedByDeletion(run)
    : comparison.running + comparison.unsent > 0;
}
