import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { lazyStorage } from '../../run/form/lazy-storage.ts';

export type DocumentsView = 'lines' | 'rows';
export type RankingView = 'bars' | 'table' | 'json';

interface RerankStore {
  query: string;
  /** A document a line. */
  documents: string;
  documentsView: DocumentsView;
  rankingView: RankingView;
  writeQuery: (query: string) => void;
  writeDocuments: (documents: string) => void;
  showDocumentsAs: (view: DocumentsView) => void;
  showRankingAs: (view: RankingView) => void;
}

type Kept = Pick<RerankStore, 'query' | 'documents' | 'documentsView' | 'rankingView'>;

export const useRerank = create<RerankStore>()(
  persist(
    (set) => ({
      query: '',
      documents: '',
      documentsView: 'lines',
      rankingView: 'bars',
      writeQuery: (query) => set({ query }),
      writeDocuments: (documents) => set({ documents }),
      showDocumentsAs: (documentsView) => set({ documentsView }),
      showRankingAs: (rankingView) => set({ rankingView }),
    }),
    {
      name: 'gatehouse:rerank',
      storage: lazyStorage<Kept>(),
      partialize: ({ query, documents, documentsView, rankingView }) => ({
        query,
        documents,
        documentsView,
        rankingView,
      }),
    },
  ),
);
