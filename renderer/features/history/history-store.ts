import { create } from 'zustand';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunStatus } from '../../../shared/run.ts';

export interface HistoryFilter {
  search: string;
  operation: OperationName | null;
  model: string | null;
  status: RunStatus | null;
}

interface HistoryStore {
  filter: HistoryFilter;
  /** The run that is shown; null: none yet. */
  shownId: string | null;
  /** Further runs that are marked, to be deleted together. */
  marked: ReadonlySet<string>;
  narrow: (change: Partial<HistoryFilter>) => void;
  showRun: (runId: string | null) => void;
  mark: (marked: ReadonlySet<string>) => void;
}

const everything: HistoryFilter = { search: '', operation: null, model: null, status: null };
const none: ReadonlySet<string> = new Set();

/** What the history shows, as long as the page lives. */
export const useHistory = create<HistoryStore>()((set) => ({
  filter: everything,
  shownId: null,
  marked: none,
  narrow: (change) => set(({ filter }) => ({ filter: { ...filter, ...change }, marked: none })),
  showRun: (shownId) => set({ shownId }),
  mark: (marked) => set({ marked }),
}));

export function showEverything(): void {
  useHistory.getState().narrow(everything);
}

export function isNarrowed(filter: HistoryFilter): boolean {
  return (
    filter.search.trim() !== '' ||
    filter.operation !== null ||
    filter.model !== null ||
    filter.status !== null
  );
}
