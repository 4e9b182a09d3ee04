/** The rerank panel's form, and how its documents and its result are laid out in this window. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { panelForms } from '../../run/form/panel-forms.ts';

export const rerankForm = panelForms.rerank;

export function writeQuery(query: string): void {
  rerankForm.change({ input: { query } }, { typing: true });
}

/** One document per line. */
export function writeDocuments(documents: string): void {
  rerankForm.change({ input: { documents } }, { typing: true });
}

export type DocumentsView = 'lines' | 'rows';
export type RankingView = 'bars' | 'table' | 'json';

interface RerankViews {
  documentsView: DocumentsView;
  rankingView: RankingView;
}

export const useRerankViews = create<RerankViews>()(
  persist((): RerankViews => ({ documentsView: 'lines', rankingView: 'bars' }), {
    name: 'gatehouse:rerank-views',
  }),
);

export function showDocumentsAs(documentsView: DocumentsView): void {
  useRerankViews.setState({ documentsView });
}

export function showRankingAs(rankingView: RankingView): void {
  useRerankViews.setState({ rankingView });
}
