import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { pluralize } from '../../lib/format-quantity.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import type { RelevanceLabel } from '../../run/compare/metrics/rank-metrics.ts';
import { receiveItem } from '../../run/form/change-with-undo.ts';
import type { DocumentSource } from '../../run/form/documents/document-source.ts';
import { appendDocuments, getDocuments } from '../../run/form/documents/documents.ts';
import type { DocumentsView } from '../../run/form/documents/documents-form.tsx';
import { panelForms } from '../../run/form/panel-forms.ts';
import { recordSource } from '../../run/form/text-source.ts';

export const rerankForm = panelForms.rerank;

/** Expects one document per line. */
export function writeDocuments(documents: string): void {
  rerankForm.change({ input: { documents } }, { typing: true });
}

export const rerankDocuments: DocumentSource = {
  form: rerankForm,
  noun: 'document',
  getText: () => rerankForm.state.getState().values.input.documents,
  write: writeDocuments,
  getColumns: () => rerankForm.state.getState().values.input.columns,
  writeColumns: (columns) => rerankForm.change({ input: { columns } }),
};

export function receiveDocuments(item: HandOver): boolean {
  if (item.kind !== 'text') return false;
  const before = rerankForm.state.getState().values.input.documents;
  const listed = new Set(getDocuments(before));
  const added = getDocuments(item.text)
    .map((document) => document.trim())
    .filter((document) => !listed.has(document));
  const known = added.length === 0 ? 'These documents are already listed.' : null;
  const add = () => {
    writeDocuments(appendDocuments(before, added));
    recordSource(rerankForm, { ...item, text: added.join('\n') });
  };
  return receiveItem(rerankForm, known, add, `${pluralize(added.length, 'document')} added`);
}

/** Labels documents of a query, for every run with the same texts; null removes a label. */
export function labelDocuments(
  query: string,
  labels: ReadonlyMap<string, RelevanceLabel | null>,
): void {
  const all = rerankForm.state.getState().values.input.labels;
  const kept = Object.entries(all[query] ?? {}).filter(([text]) => !labels.has(text));
  const added = [...labels].flatMap(([text, label]): [string, RelevanceLabel][] =>
    label === null ? [] : [[text, label]],
  );
  rerankForm.change({
    input: { labels: { ...all, [query]: Object.fromEntries([...kept, ...added]) } },
  });
}

export type RankingView = 'bars' | 'table' | 'labels' | 'json';

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
