import { useState } from 'react';
import { ArrowDownIcon } from '../../ui/icons/status.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { CompareFigure } from './compare-panel.ts';
import styles from './comparison.module.css';
import {
  type FiguresLine,
  type FiguresOrder,
  type FiguresTable,
  formatSpread,
  formatSucceeded,
  sortLines,
} from './figures-table.ts';

export function FiguresView({ table }: { table: FiguresTable }) {
  const [order, setOrder] = useState<FiguresOrder>({ by: null, descending: false });
  const lines = sortLines(table, order);
  if (table.figures.length === 0) {
    return <p className={styles.note}>Metrics appear after the first successful request.</p>;
  }
  function sortBy(figure: CompareFigure | null): void {
    setOrder((before) => {
      if (figure === null) return { by: null, descending: false };
      const first = figure.best === 'greatest';
      if (before.by !== figure.id) return { by: figure.id, descending: first };
      return { by: figure.id, descending: !before.descending };
    });
  }
  return (
    <div className={styles.figuresBox}>
      <table className={styles.figures} aria-label="Metrics">
        <thead>
          <tr>
            <th scope="col">
              <button type="button" className={styles.sort} onClick={() => sortBy(null)}>
                Variant
              </button>
            </th>
            <th scope="col">Succeeded</th>
            {table.facts.map(({ id, label, help }) => (
              <th key={id} scope="col">
                <Tooltip text={help}>{label}</Tooltip>
              </th>
            ))}
            {table.figures.map((figure) => (
              <th key={figure.id} scope="col" aria-sort={getSort(figure, order)}>
                <Tooltip text={figure.help}>
                  <button
                    type="button"
                    className={styles.sort}
                    data-order={order.by === figure.id ? getSort(figure, order) : undefined}
                    onClick={() => sortBy(figure)}
                  >
                    {figure.label}
                    {order.by === figure.id && <ArrowDownIcon size={12} />}
                  </button>
                </Tooltip>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.id} line={line} table={table} />
          ))}
        </tbody>
      </table>
      {lines.some(({ values }) => values.some((value) => value !== null && value.count > 1)) && (
        <p className={styles.note}>
          Median of successful requests, with the interquartile range below.
        </p>
      )}
    </div>
  );
}

function Line({ line, table: { facts, figures } }: { line: FiguresLine; table: FiguresTable }) {
  return (
    <tr>
      <th scope="row">
        {line.name}
        {line.differences.length > 0 && (
          <span className={styles.lineDifferences}>{line.differences.join(' · ')}</span>
        )}
      </th>
      <td>{formatSucceeded(line)}</td>
      {facts.map(({ id }, at) => (
        <td key={id}>{line.facts[at] || <span className={styles.none}>–</span>}</td>
      ))}
      {figures.map((figure, at) => {
        const value = line.values[at] ?? null;
        const isBest = line.isBest[at] === true;
        return (
          <td key={figure.id} data-best={isBest || undefined}>
            {value === null ? (
              <span className={styles.none}>–</span>
            ) : (
              <>
                {isBest && <span className={styles.best}>best </span>}
                {figure.format(value.median)}
                {value.count > 1 && (
                  <span className={styles.spread}>{formatSpread(figure, value)}</span>
                )}
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}

function getSort({ id }: CompareFigure, order: FiguresOrder) {
  if (order.by !== id) return undefined;
  return order.descending ? ('descending' as const) : ('ascending' as const);
}
