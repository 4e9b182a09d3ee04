import { create } from 'zustand';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunOutcome } from '../../../shared/run.ts';
import type { HistoryEntry } from './history-entries.ts';

/** Where Undo of deleted runs is offered, and the list it restores them to. */
export const undoPlace = 'history';

interface HistoryFilter {
  search: string;
  operation: OperationName | null;
  model: string | null;
  status: RunOutcome | null;
}

interface HistoryStore {
  filter: HistoryFilter;
  /** The run that is shown, else the comparison; null: none yet. */
  shownId: string | null;
  /** What `shownId` is. */
  shows: 'run' | 'comparison';
  /** The comparison from which the run was opened: its entry stands for the run. */
  within: string | null;
  /** Further entries that are marked, to be deleted together. */
  marked: ReadonlySet<string>;
  narrow: (change: Partial<HistoryFilter>) => void;
  showRun: (runId: string | null, within?: string) => void;
  showComparison: (comparisonId: string) => void;
  mark: (marked: ReadonlySet<string>) => void;
}

const everything: HistoryFilter = { search: '', operation: null, model: null, status: null };
const none: ReadonlySet<string> = new Set();

/** What the history shows, as long as the page lives. */
export const useHistory = create<HistoryStore>()((set) => ({
  filter: everything,
  shownId: null,
  shows: 'run',
  within: null,
  marked: none,
  narrow: (change) => set(({ filter }) => ({ filter: { ...filter, ...change }, marked: none })),
  showRun: (shownId, within) => set({ shownId, shows: 'run', within: within ?? null }),
  showComparison: (shownId) => set({ shownId, shows: 'comparison', within: null }),
  mark: (marked) => set({ marked }),
}));

export function showEntry({ id, comparison }: HistoryEntry): void {
  const { showRun, showComparison } = useHistory.getState();
  if (comparison === null) showRun(id);
  else showComparison(id);
}

export function clearFilters(): void {
  useHistory.getState().narrow(everything);
}

export function hasActiveFilter(filter: HistoryFilter): boolean {
  return (
    filter.search.trim() !== '' ||
    filter.operation !== null ||
    filter.model !== null ||
    filter.status !== null
  );
}

/** The ids from one row to another, in either direction, both included. */
export function between(ids: readonly string[], from: string, to: string): Set<string> {
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

/** The row to show once these are gone: the next one that stays, else the one before. */
export function adjacentEntry(
  ids: readonly string[],
  gone: ReadonlySet<string>,
  shown: string | null,
): string | null {
  if (shown === null || !gone.has(shown)) return shown;
  const at = ids.indexOf(shown);
  const stays = (id: string) => !gone.has(id);
  return ids.slice(at + 1).find(stays) ?? ids.slice(0, Math.max(0, at)).findLast(stays) ?? null;
}
