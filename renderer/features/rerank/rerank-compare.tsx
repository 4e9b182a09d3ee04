import { useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import {
  type ComparedResultsProps,
  type CompareFigure,
  type ComparePanel,
  tokenFigures,
  totalFigure,
} from '../../run/compare/compare-panel.ts';
import { computeNdcg } from '../../run/compare/metrics/rank-metrics.ts';
import type { RankedList } from '../../run/compare/ranked/rank-lines.ts';
import { RankedLists } from '../../run/compare/ranked/ranked-lists.tsx';
import { filterLabels, type LabelsByIndex } from '../../run/compare/ranked/relevance-labels.ts';
import { useRunViews } from '../../run/live/live-runs.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Select } from '../../ui/select.tsx';
import { rankDocuments, toListedResult } from './ranking.ts';
import styles from './rerank.module.css';
import { getSentDocuments } from './rerank-request.ts';

function Rankings({ comparison, notes, cells, columns }: ComparedResultsProps) {
  const { attempt, error } = useAttempt();
  const [chosen, setChosen] = useState(0);
  const repeat = Math.min(chosen, comparison.repeats - 1);
  // Show one repeat at a time to keep the lists readable.
  const shown = useMemo(() => cells.filter((cell) => cell.repeat === repeat), [cells, repeat]);
  const joinedIds = shown.map(({ run }) => run?.id ?? '').join(' ');
  const runIds = useMemo(() => joinedIds.split(' ').filter((id) => id !== ''), [joinedIds]);
  const views = useRunViews('rerank', runIds);
  const sent = useMemo(
    () => getSentDocuments({ request: comparison.rows[0]?.request ?? {}, extraBody: {} }),
    [comparison],
  );
  const byVariant = useMemo(
    () => new Map(shown.map(({ variantId, run }) => [variantId, run?.id])),
    [shown],
  );
  const lists = useMemo(() => {
    const known = new Map(views.map((view) => [view.id, view]));
    return columns.flatMap(({ variant, title }): RankedList[] => {
      const view = known.get(byVariant.get(variant.id) ?? '');
      if (view === undefined || view.state.results.length === 0) return [];
      const results = rankDocuments(view.state, sent).map(toListedResult);
      return [{ id: view.id, name: title, results }];
    });
  }, [columns, views, sent, byVariant]);

  const labels = useMemo(
    () => filterLabels(notes.labels, sent.length),
    [notes.labels, sent.length],
  );

  // Undo may run after later edits, so it must replace the latest labels.
  const latest = useRef(notes.labels);
  useEffect(() => {
    latest.current = notes.labels;
  });

  function write(labels: Record<string, LabelsByIndex[string] | null>): void {
    const change = { kind: 'labels' as const, labels };
    void attempt(() => api.comparisons.note({ id: comparison.id, change }));
  }

  return (
    <>
      {comparison.repeats > 1 && (
        <Select
          label="Repeat"
          className={styles.repeat}
          value={String(repeat)}
          options={Array.from({ length: comparison.repeats }, (_, at) => ({
            value: String(at),
            label: `Repeat ${at + 1}`,
          }))}
          onValueChange={(value) => setChosen(Number(value))}
        />
      )}
      {lists.length > 0 && (
        <RankedLists
          lists={lists}
          labels={labels}
          documentCount={sent.length}
          onLabel={(index, label) => write({ [index]: label })}
          onImport={(labels) => {
            const removed = Object.keys(latest.current).map((index): [string, null] => [
              index,
              null,
            ]);
            write({ ...Object.fromEntries(removed), ...labels });
          }}
        />
      )}
      {error !== null && <ErrorAlert compact error={error} />}
    </>
  );
}

const K = 10;

/** Returns nDCG of each ranking once documents are labeled. */
function useRankFigures({ comparison, notes, cells }: ComparedResultsProps): CompareFigure[] {
  const joinedIds = cells.map(({ run }) => run?.id ?? '').join(' ');
  const runIds = useMemo(() => joinedIds.split(' ').filter((id) => id !== ''), [joinedIds]);
  const views = useRunViews('rerank', runIds);
  return useMemo(() => {
    const sent = getSentDocuments({ request: comparison.rows[0]?.request ?? {}, extraBody: {} });
    const known = filterLabels(notes.labels, sent.length);
    const labels = new Map(Object.entries(known).map(([index, label]) => [Number(index), label]));
    const values = new Map(
      views.map(({ id, state }) => [
        id,
        computeNdcg(
          rankDocuments(state, sent).map((document) => toListedResult(document).index),
          labels,
          K,
        ),
      ]),
    );
    return [
      {
        id: 'ndcg',
        label: `nDCG@${K}`,
        help: 'Gain of the labeled documents by rank, divided by that of the best order.',
        best: 'greatest',
        of: ({ id }) => values.get(id) ?? null,
        format: (value) => value.toFixed(3),
      },
    ];
  }, [comparison, notes.labels, views]);
}

export const rerankComparePanel: ComparePanel = {
  useFigures: useRankFigures,
  figures: [totalFigure, ...tokenFigures.filter(({ id }) => id === 'in')],
  Overview: Rankings,
  hasResultsInOverview: true,
};
