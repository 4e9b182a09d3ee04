/** The rows of a comparison's grid: one for each of its own and each repeat. Pure. */
import type { Cell, Comparison } from '../../../shared/comparison.ts';
import type { CompareColumn } from './compare-panel.ts';

export interface GridRow {
  rowId: string;
  repeat: number;
  /** `Repeat 2`, or the row's own label; empty where there is one row. */
  label: string;
  cells: readonly Cell[];
}

export function rowsOf(
  { rows, repeats }: Pick<Comparison, 'rows' | 'repeats'>,
  cells: readonly Cell[],
): GridRow[] {
  const byRow = Map.groupBy(cells, ({ rowId, repeat }) => `${rowId} ${repeat}`);
  return rows.flatMap((row) =>
    Array.from({ length: repeats }, (_, repeat) => ({
      rowId: row.id,
      repeat,
      label: rowWords(rows.length > 1 ? row.label : '', repeats > 1 ? repeat : null),
      cells: byRow.get(`${row.id} ${repeat}`) ?? [],
    })),
  );
}

/** How a cell is called in its column: `demo-chat, Repeat 2`. */
export function cellName(
  { label }: Pick<GridRow, 'label'>,
  { name }: Pick<CompareColumn, 'name'>,
): string {
  return label === '' ? name : `${name}, ${label}`;
}

/** How a column is called where its head is not in sight: several variants may have the same model. */
export function columnTitle({ name, variant, isHidden }: CompareColumn): string {
  const [first] = variant.differences;
  return isHidden || first === undefined || variant.name !== '' ? name : `${name} · ${first}`;
}

/** The same of a cell: `demo-chat · temperature 0.2, Repeat 2`. */
export function cellTitle(row: Pick<GridRow, 'label'>, column: CompareColumn): string {
  return cellName(row, { name: columnTitle(column) });
}

function rowWords(label: string, repeat: number | null): string {
  const again = repeat === null ? '' : `Repeat ${repeat + 1}`;
  return [label, again].filter((words) => words !== '').join(' · ');
}
