import { memo, type ReactNode, useState } from 'react';
import type { Cell, Comparison } from '../../../shared/comparison.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { CellFrame } from './cell-frame.tsx';
import { columnTab } from './column-tab.tsx';
import type { CompareColumn, ComparePanel } from './compare-panel.ts';
import styles from './comparison.module.css';
import { cellTitle, type GridRow, getRows } from './grid-rows.ts';
import { useGrowingCount } from './use-growing-count.ts';

interface CompareGridProps {
  comparison: Comparison;
  cells: readonly Cell[];
  columns: readonly CompareColumn[];
  Result: ComparePanel['Result'];
  /** A CSS length. */
  mostColumn?: string | undefined;
  /** Under the cells of a row: what is chosen in it. */
  rowEnd?: (row: GridRow) => ReactNode;
}

/** Narrower than this nobody reads a column. */
export const minColumn = 220;
const columnGap = 12;

/** A column for each variant and a row for each repeat; tabs where the columns have no room. */
export function CompareGrid(props: CompareGridProps) {
  const { comparison, cells, columns, Result, mostColumn, rowEnd } = props;
  const [box, width] = useWidth();
  const [shownId, setShownId] = useState<string | null>(null);
  const all = getRows(comparison, cells);
  const drawn = useGrowingCount(all.length);
  const rows = all.slice(0, drawn.count);
  const fits =
    width === null ||
    columns.length * (minColumn + columnGap) - columnGap <= width ||
    columns.length === 1;

  const getCell = (row: GridRow, column: CompareColumn) => {
    const cell = row.cells.find(({ variantId }) => variantId === column.variant.id);
    if (cell === undefined) return <div key={column.variant.id} className={styles.cell} />;
    return (
      <GridCell
        key={cell.place}
        comparisonId={comparison.id}
        cell={cell}
        title={cellTitle(row, column)}
        column={column}
        Result={Result}
      />
    );
  };

  if (!fits) {
    const shown = columns.find(({ variant }) => variant.id === shownId) ?? columns[0];
    return (
      <div ref={box} className={styles.tabs}>
        <Tabs
          label="Variants"
          value={shown?.variant.id ?? ''}
          onValueChange={setShownId}
          tabs={columns.map((column) =>
            columnTab(
              column,
              cells.filter(({ variantId }) => variantId === column.variant.id),
              <div className={styles.tabBody}>
                <Differences column={column} />
                {rows.map((row) => (
                  <section key={`${row.rowId} ${row.repeat}`} className={styles.tabRow}>
                    {row.label !== '' && <h2 className={styles.rowLabel}>{row.label}</h2>}
                    {getCell(row, column)}
                    {rowEnd?.(row)}
                  </section>
                ))}
              </div>,
            ),
          )}
        />
      </div>
    );
  }
  const template = getTemplate(columns.length, mostColumn);
  return (
    <div ref={box} className={styles.grid} data-columns={columns.length}>
      <div className={styles.gridHead} style={{ gridTemplateColumns: template }}>
        {columns.map((column) => (
          <div key={column.variant.id} className={styles.columnHead}>
            <h2 className={styles.columnName}>{column.name}</h2>
            <Differences column={column} />
          </div>
        ))}
      </div>
      {rows.map((row) => (
        <section
          key={`${row.rowId} ${row.repeat}`}
          aria-label={row.label === '' ? undefined : row.label}
          className={styles.row}
        >
          {row.label !== '' && <h2 className={styles.rowLabel}>{row.label}</h2>}
          <div className={styles.cells} style={{ gridTemplateColumns: template }}>
            {columns.map((column) => getCell(row, column))}
          </div>
          {rowEnd?.(row)}
        </section>
      ))}
    </div>
  );
}

interface GridCellProps {
  comparisonId: string;
  cell: Cell;
  title: string;
  column: CompareColumn;
  Result: ComparePanel['Result'];
}

/** Of hundreds one changes at a time: the others are not drawn again. */
const GridCell = memo(function GridCell(props: GridCellProps) {
  const { comparisonId, cell, title, column, Result } = props;
  return (
    <CellFrame comparisonId={comparisonId} cell={cell} label={title} column={column}>
      {cell.run !== null && (
        <Result key={cell.run.id} cell={cell} run={cell.run} column={column} title={title} />
      )}
    </CellFrame>
  );
});

export function Differences({ column: { variant, isHidden } }: { column: CompareColumn }) {
  if (isHidden || variant.differences.length === 0) return null;
  return (
    <ul aria-label="Differences" className={styles.differences}>
      {variant.differences.map((words) => (
        <li key={words} className={styles.difference}>
          {words}
        </li>
      ))}
    </ul>
  );
}

function getTemplate(columns: number, most = '1fr'): string {
  const greatest = most === '1fr' ? most : `max(${minColumn}px, ${most})`;
  return `repeat(${columns}, minmax(${minColumn}px, ${greatest}))`;
}
