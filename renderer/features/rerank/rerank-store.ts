/** The rerank panel's form, and how its documents and its result are laid out in this window. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { HandedOver, Taken } from '../../media/hand-over/hand-over.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { documentsOf, withDocuments } from './documents.ts';

export const rerankForm = panelForms.rerank;

export function writeQuery(query: string): void {
  rerankForm.change({ input: { query } }, { typing: true });
}

/** One document per line. */
export function writeDocuments(documents: string): void {
  rerankForm.change({ input: { documents } }, { typing: true });
}

/** A text from elsewhere: each of its lines is a document behind those that are there. */
export function takeDocuments(item: HandedOver): Taken | null {
  if (item.kind !== 'text') return null;
  const before = rerankForm.state.getState().values.input.documents;
  const there = new Set(documentsOf(before));
  const added = documentsOf(item.text).filter((document) => !there.has(document.trim()));
  if (added.length === 0) return { message: 'These documents are already there.', undo: null };
  const after = withDocuments(
    before,
    added.map((document) => document.trim()),
  );
  writeDocuments(after);
  return {
    message: added.length === 1 ? '1 document added.' : `${added.length} documents added.`,
    undo: () => {
      const { documents } = rerankForm.state.getState().values.input;
      writeDocuments(documents.startsWith(after) ? before + documents.slice(after.length) : before);
    },
  };
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
