import { useEffect, useMemo, useRef } from 'react';
import { isFinished } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import {
  type ComparedResultsProps,
  type ComparePanel,
  tokenFigures,
  totalFigure,
} from '../../run/compare/compare-panel.ts';
import table from '../../run/compare/metric-table.module.css';
import type { RankedList } from '../../run/compare/ranked/rank-lines.ts';
import { RankedLists } from '../../run/compare/ranked/ranked-lists.tsx';
import { filterLabels, type LabelsByIndex } from '../../run/compare/ranked/relevance-labels.ts';
import { useRunViews } from '../../run/live/live-runs.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { describeInput, getSentInputs } from './embeddings-request.ts';
import type { VectorComparison } from './work/compare-vectors.ts';
import { useVectorComparison } from './work/use-vectors.ts';

/** The number of nearest neighbors compared per input. */
const K = 10;

interface ComparedModel {
  mediaId: string;
  runId: string;
  name: string;
}

/** Compares models with the first input as the query and the others as documents, as in Rerank. */
function ComparedModels({ comparison, notes, cells, columns }: ComparedResultsProps) {
  const { attempt, error } = useAttempt();
  const joinedIds = cells
    .filter(({ repeat }) => repeat === 0)
    .map(({ variantId, run }) => `${variantId}:${run?.id ?? ''}`)
    .join(' ');
  const byVariant = useMemo(
    () => new Map(joinedIds.split(' ').map((pair) => splitPair(pair))),
    [joinedIds],
  );
  const runIds = useMemo(() => [...byVariant.values()].filter((id) => id !== ''), [byVariant]);
  const views = useRunViews('embeddings', runIds);
  const models = columns.flatMap(({ variant, title }): ComparedModel[] => {
    const view = views.find(({ id }) => id === byVariant.get(variant.id));
    const file = view?.media[0];
    if (view === undefined || file === undefined || !isFinished(view.status)) return [];
    return [{ mediaId: file.id, runId: view.id, name: title }];
  });
  const joinedMedia = models.map(({ mediaId }) => mediaId).join(' ');
  const mediaIds = useMemo(() => joinedMedia.split(' ').filter((id) => id !== ''), [joinedMedia]);
  const compared = useVectorComparison(mediaIds, K);
  const inputs = useMemo(
    () =>
      getSentInputs({ request: comparison.rows[0]?.request ?? {}, extraBody: {} }).map(
        describeInput,
      ),
    [comparison],
  );
  const documentCount = Math.max(0, inputs.length - 1);
  const labels = useMemo(
    () => filterLabels(notes.labels, documentCount),
    [notes.labels, documentCount],
  );

  // Undo may run after later edits, so it must replace the latest labels.
  const latest = useRef(notes.labels);
  useEffect(() => {
    latest.current = notes.labels;
  });

  function write(changed: Record<string, LabelsByIndex[string] | null>): void {
    const change = { kind: 'labels' as const, labels: changed };
    void attempt(() => api.comparisons.note({ id: comparison.id, change }));
  }

  if (models.length === 0) return null;
  if (compared.error !== null) return <ErrorAlert error={compared.error} />;
  const { output } = compared;
  if (output === null) return <Spinner label="Comparing vectors" />;
  const lists = models.map(({ runId, name }, at): RankedList => {
    const ranking = output.rankings[at] ?? [];
    const results = ranking.map(({ row, score }) => ({
      index: row - 1,
      score,
      text: inputs[row] ?? null,
    }));
    return { id: runId, name, results };
  });
  return (
    <>
      {models.length > 1 && <Agreement models={models} output={output} />}
      <p className="caption">
        Query: “{inputs[0]}” The other inputs are its documents; document 1 is input 2.
      </p>
      <RankedLists
        lists={lists}
        labels={labels}
        documentCount={documentCount}
        onLabel={(index, label) => write({ [index]: label })}
        onImport={(imported) => {
          const removed = Object.keys(latest.current).map((index) => [index, null] as const);
          write({ ...Object.fromEntries(removed), ...imported });
        }}
      />
      {error !== null && <ErrorAlert compact error={error} />}
    </>
  );
}

function splitPair(pair: string): [variantId: string, runId: string] {
  const at = pair.lastIndexOf(':');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

interface AgreementProps {
  models: readonly ComparedModel[];
  output: VectorComparison;
}

function Agreement({ models, output }: AgreementProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can't scroll it otherwise. */}
      <div className={table.box} data-scroller tabIndex={0}>
        <table className={table.table}>
          <caption className="visually-hidden">Agreement of neighbors</caption>
          <thead>
            <tr>
              <th scope="col">Agreement</th>
              {models.map(({ runId, name }) => (
                <th key={runId} scope="col" className={table.number}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map(({ runId, name }, row) => (
              <tr key={runId}>
                <th scope="row" className={table.name}>
                  {name}
                </th>
                {models.map((other, column) => (
                  <td key={other.runId} className={table.number}>
                    {row === column ? '–' : formatShare(output.agreements[row]?.[column] ?? null)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption">
        Share of the {K} nearest inputs that both models have, averaged over{' '}
        {pluralize(output.rowCount, 'input')}.
      </p>
    </>
  );
}

function formatShare(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)}%`;
}

export const embeddingsComparePanel: ComparePanel = {
  figures: [totalFigure, ...tokenFigures.filter(({ id }) => id === 'in')],
  Overview: ComparedModels,
  hasResultsInOverview: true,
};
