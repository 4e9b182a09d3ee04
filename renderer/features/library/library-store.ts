import { create } from 'zustand';
import type { LibraryFilter } from '../../media/library/use-library.ts';

interface LibraryStore {
  filter: LibraryFilter;
  shownId: string | null;
}

export const everything: LibraryFilter = { kind: null, role: null, text: '', sort: 'newest' };

export const useLibraryStore = create<LibraryStore>(() => ({ filter: everything, shownId: null }));

export function hasActiveFilter({ kind, role, text }: LibraryFilter): boolean {
  return kind !== null || role !== null || text.trim() !== '';
}

export function narrow(filter: LibraryFilter): void {
  useLibraryStore.setState({ filter });
}

export function showItem(shownId: string | null): void {
  useLibraryStore.setState({ shownId });
}
