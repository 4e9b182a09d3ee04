/** The rows of a comparison's grid: one for each of its own and each repeat. Pure. */
import type { Cell, Comparison } from '../../../shared/comparison.ts';
import type { CompareColumn } from './compare-panel.ts';

export interface GridRow {
  rowId: string;
  repeat: number;
  /** `Repeat 2`, or the row's own label; empty if there is one row. */
  label: string;
  cells: readonly Cell[];
}

export function getRows(
  { rows, repeats }: Pick<Comparison, 'rows' | 'repeats'>,
  cells: readonly Cell[],
): GridRow[] {
  const byRow = Map.groupBy(cells, ({ rowId, repeat }) => `${rowId} ${repeat}`);
  return rows.flatMap((row) =>
    Array.from({ length: repeats }, (_, repeat) => ({
      rowId: row.id,
      repeat,
      label: describeRow(rows.length > 1 ? row.label : '', repeats > 1 ? repeat : null),
      cells: byRow.get(`${row.id} ${repeat}`) ?? [],
    })),
  );
}

/** How a cell is called: `demo-chat · temperature 0.2, Repeat 2`. */
export function cellTitle(
  { label }: Pick<GridRow, 'label'>,
  { title }: Pick<CompareColumn, 'title'>,
): string {
  return label === '' ? title : `${title}, ${label}`;
}

function describeRow(label: string, repeat: number | null): string {
  const again = repeat === null ? '' : `Repeat ${repeat + 1}`;
  return [label, again].filter((words) => words !== '').join(' · ');
}
