import { memo, type ReactNode, useState } from 'react';
import { type Cell, type Comparison, getCellVariant } from '../../../shared/comparison.ts';
import type { ComparisonNotes, NoteChange } from '../../../shared/comparison-notes.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { api } from '../../lib/api.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { CellFrame } from './cell-frame.tsx';
import { getColumnStatus } from './cell-status.ts';
import {
  describeRepeat,
  type GridRow,
  getCellTitle,
  getRows,
  listTags,
  pickPlace,
  tie,
} from './compare-columns.ts';
import type { CompareColumn, CompareFigure, ComparePanel } from './compare-panel.ts';
import styles from './comparison.module.css';
import { useGrowingCount } from './use-growing-count.ts';

interface CompareGridProps {
  comparison: Comparison;
  cells: readonly Cell[];
  columns: readonly CompareColumn[];
  Result: ComparePanel['Result'];
  /** True if cells show little more than their status. */
  isCompact?: boolean;
  fitsRows?: boolean | undefined;
  /** The metrics below each result; null if its times are in its header. */
  figures?: readonly CompareFigure[] | null;
  /** Returns the question of a request; omitted if rows show only their label. */
  readQuestion?: ((request: JsonObject) => string | null) | undefined;
  /** True if the form above shows the question of the only row. */
  isQuestionInForm?: boolean;
  rowEnd?: (row: GridRow) => ReactNode;
}

export const minColumn = 220;
const columnGap = 12;

/** Shows columns; if the panel is too narrow, rows or tabs. */
export function CompareGrid(props: CompareGridProps) {
  const { comparison, cells, columns, Result, isCompact = false, fitsRows = false } = props;
  const { figures = null, readQuestion, isQuestionInForm = false, rowEnd } = props;
  const [box, width] = useWidth();
  const [shownId, setShownId] = useState<string | null>(null);
  const all = getRows(comparison, cells);
  const drawn = useGrowingCount(all.length);
  const rows = all.slice(0, drawn.count);
  const fits =
    width === null ||
    columns.length * (minColumn + columnGap) - columnGap <= width ||
    columns.length === 1;

  const isRows = !fits && fitsRows;
  // A single row names its variants in its cells instead of in a header row.
  const isNamedInCells = isRows || (fits && all.length === 1);
  const getQuestion = (request: JsonObject | undefined) =>
    (request === undefined ? null : readQuestion?.(request)?.trim()) || null;
  const questions = new Map(comparison.rows.map(({ id, request }) => [id, getQuestion(request)]));
  const getRowHead = (row: GridRow) => {
    const question = questions.get(row.rowId) ?? null;
    const repeats = comparison.repeats > 1;
    const label = question === null ? row.label : repeats ? describeRepeat(row.repeat) : '';
    return (
      <>
        {question !== null && row.repeat === 0 && !isQuestionInForm && (
          <h2 className={styles.question}>{question}</h2>
        )}
        {label !== '' && <h2 className={styles.rowLabel}>{label}</h2>}
      </>
    );
  };
  const getCell = (row: GridRow, column: CompareColumn) => {
    const cell = row.cells.find(({ variantId }) => variantId === column.variant.id);
    if (cell === undefined) return <div key={column.variant.id} className={styles.cell} />;
    return (
      <GridCell
        key={cell.place}
        comparisonId={comparison.id}
        cell={cell}
        title={getCellTitle(row, column)}
        column={column}
        Result={Result}
        isNamed={isNamedInCells}
        figures={figures}
        question={getQuestion((getCellVariant(comparison, cell) ?? column.variant).request)}
      />
    );
  };

  if (!fits && !isRows) {
    const shown = columns.find(({ variant }) => variant.id === shownId) ?? columns[0];
    return (
      <div ref={box} className={styles.tabs}>
        <Tabs
          label="Variants"
          value={shown?.variant.id ?? ''}
          onValueChange={setShownId}
          tabs={columns.map((column) =>
            createColumnTab(
              column,
              cells.filter(({ variantId }) => variantId === column.variant.id),
              <div className={styles.tabBody}>
                <Differences column={column} />
                {rows.map((row) => (
                  <section key={`${row.rowId} ${row.repeat}`} className={styles.tabRow}>
                    {getRowHead(row)}
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
  const template = isRows
    ? 'minmax(0, 1fr)'
    : `repeat(${columns.length}, minmax(${minColumn}px, 1fr))`;
  return (
    <div
      ref={box}
      className={styles.grid}
      data-columns={columns.length}
      data-compact={isCompact}
      data-rows={isRows || undefined}
    >
      {isNamedInCells ? null : (
        <div className={styles.gridHead} style={{ gridTemplateColumns: template }}>
          {columns.map((column) => (
            <div key={column.variant.id} className={styles.columnHead}>
              <ColumnName column={column} />
            </div>
          ))}
        </div>
      )}
      {rows.map((row) => (
        <section
          key={`${row.rowId} ${row.repeat}`}
          aria-label={row.label === '' ? undefined : row.label}
          className={styles.row}
        >
          {getRowHead(row)}
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
  isNamed: boolean;
  figures: readonly CompareFigure[] | null;
  question: string | null;
}

/** Memoized, because hundreds of cells update one at a time. */
const GridCell = memo(function GridCell(props: GridCellProps) {
  const { comparisonId, cell, title, column, Result, isNamed, figures, question } = props;
  return (
    <CellFrame
      comparisonId={comparisonId}
      cell={cell}
      label={title}
      column={column}
      heading={isNamed && <ColumnName column={column} />}
      figures={figures}
      question={question}
    >
      {cell.run !== null && Result !== undefined && (
        <Result key={cell.run.id} cell={cell} run={cell.run} column={column} title={title} />
      )}
    </CellFrame>
  );
});

export function Differences({ column: { variant, isHidden } }: { column: CompareColumn }) {
  const tags = listTags(variant);
  if (isHidden || tags.length === 0) return null;
  return (
    <ul aria-label="Differences" className={styles.differences}>
      {tags.map((words) => (
        <li key={words} className={styles.difference}>
          {words}
        </li>
      ))}
    </ul>
  );
}

function ColumnName({ column }: { column: CompareColumn }) {
  return (
    <>
      <h2 className={styles.columnName}>{column.name}</h2>
      <Differences column={column} />
    </>
  );
}

/** Renders a column as a tab with the most urgent status of its requests. */
export function createColumnTab(
  column: CompareColumn,
  cells: readonly Cell[],
  content: ReactNode,
): Tab<string> {
  const status = getColumnStatus(cells);
  return {
    value: column.variant.id,
    label: column.title,
    ...(status !== null && { badge: <StatusMark {...status} /> }),
    content,
  };
}

interface RowPickProps {
  comparisonId: string;
  notes: ComparisonNotes;
  row: GridRow;
  /** The rows that need a pick before the names are shown; by default, only this one. */
  rows?: readonly GridRow[];
  columns: readonly CompareColumn[];
}

/** Lets the user pick the best result in a row while names are hidden. */
export function RowPick(props: RowPickProps) {
  const { comparisonId, notes, row, rows = [row], columns } = props;
  const { blind } = notes;
  const { attempt, error } = useAttempt();
  const place = pickPlace(row);
  const isLast = rows.every((other) => {
    const at = pickPlace(other);
    return at === place || blind?.picks[at] !== undefined;
  });
  const pick = (id: string) =>
    void attempt(async () => {
      const note = (change: NoteChange) => api.comparisons.note({ id: comparisonId, change });
      await note({ kind: 'pick', place, pick: id });
      if (!isLast) return;
      const order = blind?.order ?? columns.map(({ variant }) => variant.id);
      await note({ kind: 'blind', blind: { isHidden: false, order } });
    });
  return (
    <div className={styles.pick}>
      <span className={styles.pickLabel}>Best</span>
      <Segmented
        label={row.label === '' ? 'Best' : `Best of ${row.label}`}
        value={blind?.picks[place] ?? ''}
        options={[
          ...columns.map(({ variant, name }) => ({ value: variant.id, label: name })),
          { value: tie, label: 'Tie' },
        ]}
        onValueChange={pick}
      />
      {error !== null && <ErrorAlert compact error={error} />}
    </div>
  );
}
