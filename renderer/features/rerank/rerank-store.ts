/** The rerank panel's form, and how its documents and its result are laid out in this window. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { formatCountOf } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import type { HandedOver, Taken } from '../../media/hand-over/hand-over.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { documentLines, documentsOf, withDocuments } from './documents.ts';

export const rerankForm = panelForms.rerank;

export function writeQuery(query: string): void {
  rerankForm.change({ input: { query } }, { typing: true });
}

/** One document per line. */
export function writeDocuments(documents: string): void {
  rerankForm.change({ input: { documents } }, { typing: true });
}

/** Of the notices that offer to bring documents back. */
export const undoPlace = 'rerank-documents';

/** What is typed meanwhile stays, behind what comes back. */
export function clearDocuments(): void {
  const { documents } = rerankForm.state.getState().values.input;
  writeDocuments('');
  offerUndo({
    message: `${formatCountOf(documentsOf(documents).length, 'document')} cleared`,
    place: undoPlace,
    undo: () => {
      const { documents: typed } = rerankForm.state.getState().values.input;
      writeDocuments(withDocuments(documents, documentsOf(typed)));
    },
  });
}

/** `at`: the place among the lines. */
export function removeDocument(at: number): void {
  const lines = documentLines(rerankForm.state.getState().values.input.documents);
  const removed = lines[at];
  if (removed === undefined) return;
  writeDocuments(lines.toSpliced(at, 1).join('\n'));
  if (removed.trim() === '') return;
  offerUndo({
    message: 'Document removed',
    place: undoPlace,
    undo: () => {
      const now = documentLines(rerankForm.state.getState().values.input.documents);
      writeDocuments(now.toSpliced(Math.min(at, now.length), 0, removed).join('\n'));
    },
  });
}

/** An example or a recorded run in place of what was there, which Undo brings back. */
export function replaceInput(query: string, documents: string, message: string): void {
  const before = rerankForm.state.getState().values.input;
  writeQuery(query);
  writeDocuments(documents);
  const isSame = before.query === query && before.documents === documents;
  if (isSame || (before.query.trim() === '' && before.documents.trim() === '')) return;
  offerUndo({
    message,
    place: undoPlace,
    undo: () => rerankForm.change({ input: before }, { typing: true }),
  });
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
    message: `${formatCountOf(added.length, 'document')} added.`,
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
