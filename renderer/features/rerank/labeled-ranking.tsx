import { useMemo } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { getShownText } from '../../../shared/operations/rerank/request.ts';
import type { RelevanceLabel } from '../../run/compare/metrics/rank-metrics.ts';
import { RankedLists } from '../../run/compare/ranked/ranked-lists.tsx';
import type { LabelsByIndex } from '../../run/compare/ranked/relevance-labels.ts';
import { useForm } from '../../run/form/use-form.ts';
import { type RankedDocument, toListedResult } from './ranking.ts';
import { labelDocuments, rerankForm } from './rerank-form.ts';

interface LabeledRankingProps {
  runId: string;
  model: string;
  query: string;
  documents: readonly RankedDocument[];
  sent: readonly JsonValue[];
}

/** Labels the documents of one ranking and measures it; other runs of the query keep the labels. */
export function LabeledRanking({ runId, model, query, documents, sent }: LabeledRankingProps) {
  const byText = useForm(rerankForm, ({ input }) => input.labels[query]);
  const texts = useMemo(() => sent.map((document) => getShownText(document) ?? ''), [sent]);
  const labels = useMemo(
    (): LabelsByIndex =>
      Object.fromEntries(
        texts.flatMap((text, index): [string, RelevanceLabel][] => {
          const label = byText?.[text];
          return label === undefined ? [] : [[String(index), label]];
        }),
      ),
    [byText, texts],
  );
  const lists = useMemo(
    () => [{ id: runId, name: model, results: documents.map(toListedResult) }],
    [runId, model, documents],
  );
  const write = (changes: Iterable<readonly [index: number, label: RelevanceLabel | null]>) =>
    labelDocuments(
      query,
      new Map(Array.from(changes, ([index, label]) => [texts[index] ?? '', label] as const)),
    );
  return (
    <RankedLists
      lists={lists}
      labels={labels}
      documentCount={sent.length}
      onLabel={(index, label) => write([[index, label]])}
      onImport={(imported) =>
        write(texts.map((_, index) => [index, imported[String(index)] ?? null] as const))
      }
    />
  );
}
