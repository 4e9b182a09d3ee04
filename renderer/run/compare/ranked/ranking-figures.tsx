import { useMemo } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { markBest } from '../figures-table.ts';
import table from '../metric-table.module.css';
import {
  computeKendallTau,
  computeNdcg,
  computeOverlap,
  computePrecision,
  computeRecall,
  computeReciprocalRank,
  type RelevanceLabels,
} from '../metrics/rank-metrics.ts';
import type { RankedList } from './rank-lines.ts';
import styles from './ranked-lists.module.css';

interface RankingFiguresProps {
  lists: readonly RankedList[];
  baseId: string;
  labels: RelevanceLabels;
  k: number;
}

interface Figure {
  name: (k: number) => string;
  /** Cites the formula and where it was published. */
  source: string;
  /** Returns null if the metric is undefined. */
  compute: (list: RankedList, props: RankingFiguresProps, base: RankedList) => number | null;
  /** If true, marks the greatest value; use false for metrics that compare with the base list. */
  hasBest: boolean;
}

const figures: readonly Figure[] = [
  {
    name: (k) => `nDCG@${k}`,
    source:
      'Sum of (2^label − 1) / log2(rank + 1) over the first k results, divided by that of the best possible order. ' +
      'Järvelin and Kekäläinen 2002, with the gain of Burges et al. 2005.',
    compute: (list, { labels, k }) => computeNdcg(getIndexes(list), labels, k),
    hasBest: true,
  },
  {
    name: () => 'MRR',
    source: '1 / rank of the first document labeled 1 or more; of one query here. Voorhees 1999.',
    compute: (list, { labels }) => computeReciprocalRank(getIndexes(list), labels),
    hasBest: true,
  },
  {
    name: (k) => `Precision@${k}`,
    source:
      'Documents labeled 1 or more among the first k, divided by k. Manning, Raghavan and Schütze 2008, section 8.4.',
    compute: (list, { labels, k }) => computePrecision(getIndexes(list), labels, k),
    hasBest: true,
  },
  {
    name: (k) => `Recall@${k}`,
    source:
      'Documents labeled 1 or more among the first k, divided by all such documents. Manning, Raghavan and Schütze 2008, section 8.3.',
    compute: (list, { labels, k }) => computeRecall(getIndexes(list), labels, k),
    hasBest: true,
  },
  {
    name: () => 'Kendall’s τ',
    source:
      'Tau-b, from −1 (reversed) to 1 (same order), over the documents that both lists have. Kendall 1945, as in SciPy.',
    compute: (list, _props, base) => computeKendallTau(toScored(base), toScored(list)).tau,
    hasBest: false,
  },
  {
    name: (k) => `Overlap@${k}`,
    source:
      'Share of the first k documents that both lists have, in any order. Webber, Moffat and Zobel 2010.',
    compute: (list, { k }, base) => computeOverlap(toScored(base), toScored(list), k).share,
    hasBest: false,
  },
];

export function RankingFigures(props: RankingFiguresProps) {
  const { lists, baseId, labels, k } = props;
  const columns = useMemo(() => {
    const base = lists.find(({ id }) => id === baseId);
    const shown = figures.filter(({ hasBest }) => hasBest || lists.length > 1);
    return shown.map((figure) => {
      const values = lists.map((list) =>
        base === undefined || (!figure.hasBest && list === base)
          ? null
          : figure.compute(list, { lists, baseId, labels, k }, base),
      );
      const isBest = markBest(
        figure.hasBest && lists.length > 1 ? values : [],
        'greatest',
        formatFigure,
      );
      return { ...figure, values, isBest };
    });
  }, [lists, baseId, labels, k]);
  const baseName = lists.find(({ id }) => id === baseId)?.name ?? '';
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can't scroll it otherwise. */}
      <div className={table.box} data-scroller tabIndex={0}>
        <table className={table.table}>
          <caption className="visually-hidden">
            Ranking quality (from labels){lists.length > 1 && ` and agreement with ${baseName}`}
          </caption>
          <thead>
            <tr>
              <th scope="col">List</th>
              {columns.map(({ name, source }) => (
                <th key={source} scope="col" className={table.number}>
                  <Tooltip text={source}>{name(k)}</Tooltip>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lists.map(({ id, name }, at) => (
              <tr key={id}>
                <th scope="row" className={table.name}>
                  {name}
                </th>
                {columns.map(({ source, values, isBest }) => (
                  <td
                    key={source}
                    className={classNames(table.number, isBest[at] === true && table.best)}
                  >
                    {formatFigure(values[at] ?? null)}
                    {isBest[at] === true && <span className="visually-hidden"> (best)</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details className={classNames(styles.formulas, 'caption')}>
        <summary>Formulas and sources</summary>
        <dl>
          {columns.map(({ name, source }) => (
            <div key={source}>
              <dt>{name(k)}</dt>
              <dd>{source}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function getIndexes({ results }: RankedList): (number | null)[] {
  return results.map(({ index }) => index);
}

function toScored({ results }: RankedList) {
  return results.map(({ index, score }) => ({ index, relevanceScore: score }));
}

function formatFigure(value: number | null): string {
  return value === null ? '–' : value.toFixed(3).replace('-', '−');
}
