/** The rerank panel's form, and how its documents and its result are laid out in this window. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { pluralize } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { recordSource } from '../../run/form/text-source.ts';
import { documentLines, getDocuments, withDocuments } from './documents.ts';

export const rerankForm = panelForms.rerank;

export function writeQuery(query: string): void {
  rerankForm.change({ input: { query } }, { typing: true });
}

/** One document per line. */
export function writeDocuments(documents: string): void {
  rerankForm.change({ input: { documents } }, { typing: true });
}

/** Text typed since stays, after what Undo restores. */
export function clearDocuments(): void {
  const { documents } = rerankForm.state.getState().values.input;
  const message = `${pluralize(getDocuments(documents).length, 'document')} cleared`;
  changeWithUndo(rerankForm, () => writeDocuments(''), message);
}

/** `at`: the place among the lines. */
export function removeDocument(at: number): void {
  const lines = documentLines(rerankForm.state.getState().values.input.documents);
  const removed = lines[at];
  if (removed === undefined) return;
  const remove = () => writeDocuments(lines.toSpliced(at, 1).join('\n'));
  if (removed.trim() === '') remove();
  else
    changeWithUndo(rerankForm, remove, 'Document removed', { severalWords: '# documents removed' });
}

/** An example in place of what was there, which Undo brings back. */
export function replaceInput(query: string, documents: string, message: string): void {
  const replace = () => rerankForm.change({ input: { query, documents } }, { typing: true });
  changeWithUndo(rerankForm, replace, message);
}

/** A text from elsewhere: each of its lines is a document behind those that are there. */
export function receiveDocuments(item: HandOver): boolean {
  if (item.kind !== 'text') return false;
  const before = rerankForm.state.getState().values.input.documents;
  const there = new Set(getDocuments(before));
  const added = getDocuments(item.text).filter((document) => !there.has(document.trim()));
  if (added.length === 0) {
    const message = 'These documents are already listed.';
    offerUndo({ message, place: rerankForm.id, undo: null });
    return true;
  }
  const trimmed = added.map((document) => document.trim());
  changeWithUndo(
    rerankForm,
    () => {
      writeDocuments(withDocuments(before, trimmed));
      recordSource(rerankForm, { ...item, text: trimmed.join('\n') });
    },
    `${pluralize(added.length, 'document')} added`,
    { after: 'any change' },
  );
  return true;
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
