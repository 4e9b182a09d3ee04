/** Lays out comparison images in rows and finds the image that an arrow key selects. */
import type { Cell, Comparison } from '../../../shared/comparison.ts';
import type { Media } from '../../../shared/media.ts';
import type { FlipDirection } from '../../media/players/image-stage.tsx';
import { getCellTitle, getRows } from '../../run/compare/compare-columns.ts';
import type { CompareColumn } from '../../run/compare/compare-panel.ts';

export interface SheetImage {
  id: string;
  runId: string;
  title: string;
  column: number;
  media: Media;
}

/** One entry per grid row, even for rows without images. */
export type ContactSheet = readonly (readonly SheetImage[])[];

export function getSheetImageId({ place }: Pick<Cell, 'place'>, { id }: Pick<Media, 'id'>): string {
  return `${place} ${id}`;
}

export function createImageSheet(
  comparison: Pick<Comparison, 'rows' | 'repeats'>,
  cells: readonly Cell[],
  columns: readonly CompareColumn[],
): ContactSheet {
  return getRows(comparison, cells).map((row) =>
    columns.flatMap((column, at) => {
      const cell = row.cells.find(({ variantId }) => variantId === column.variant.id);
      return cell === undefined ? [] : getImages(cell, getCellTitle(row, column), at);
    }),
  );
}

function getImages(cell: Cell, name: string, column: number): SheetImage[] {
  const { run } = cell;
  if (run === null || cell.state !== 'sent') return [];
  const images = run.media.filter(({ kind, complete }) => kind === 'image' && complete);
  return images.map((media, at) => ({
    id: getSheetImageId(cell, media),
    runId: run.id,
    title: images.length > 1 ? `${name}, image ${at + 1}` : name,
    column,
    media,
  }));
}

/** Up and Down select the closest variant in the next row that has images. */
export function findAdjacentImage(
  sheet: ContactSheet,
  id: string,
  direction: FlipDirection,
): SheetImage | null {
  const rowAt = sheet.findIndex((row) => row.some((image) => image.id === id));
  const row = sheet[rowAt] ?? [];
  const at = row.findIndex((image) => image.id === id);
  const from = row[at];
  if (from === undefined) return null;
  if (direction === 'left') return row[at - 1] ?? null;
  if (direction === 'right') return row[at + 1] ?? null;
  const others = direction === 'down' ? sheet.slice(rowAt + 1) : sheet.slice(0, rowAt).reverse();
  const next = others.find(({ length }) => length > 0) ?? [];
  const distance = ({ column }: SheetImage) => Math.abs(column - from.column);
  const [closest] = next.toSorted((one, other) => distance(one) - distance(other));
  if (closest === undefined) return null;
  // From a cell's second image, move to the second image in the next row.
  const nth = row.filter(({ column }) => column === from.column).indexOf(from);
  const same = next.filter(({ column }) => column === closest.column);
  return same[nth] ?? closest;
}
