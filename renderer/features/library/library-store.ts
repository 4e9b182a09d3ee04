/** What the library shows; kept while other panels are shown. */
import { create } from 'zustand';
import type { LibraryFilter } from '../../media/library/use-library.ts';

interface LibraryStore {
  filter: LibraryFilter;
  shownId: string | null;
}

export const everything: LibraryFilter = { kind: null, role: null, text: '' };

export const useLibraryStore = create<LibraryStore>(() => ({ filter: everything, shownId: null }));

export function isNarrowed({ kind, role, text }: LibraryFilter): boolean {
  return kind !== null || role !== null || text.trim() !== '';
}

export function narrow(filter: LibraryFilter): void {
  useLibraryStore.setState({ filter });
}

export function showMedium(shownId: string | null): void {
  useLibraryStore.setState({ shownId });
}
