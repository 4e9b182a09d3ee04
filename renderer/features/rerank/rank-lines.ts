/** The lines that join the same document in two lists side by side. */

/** Height of a result, in pixels: all are as high, so that lines need no measuring. */
export const RESULT_HEIGHT = 76;
/** Between two lists. */
export const GAP_WIDTH = 56;

export interface ListedResult {
  /** Of a document in the request; null if it is none that was sent. */
  index: number | null;
  score: number | null;
  text: string | null;
  /** What is odd about it, in place of its number or behind that: `Index 999 was not sent`. */
  problem?: string | null;
}

export interface RankedList {
  id: string;
  /** What the user knows it by: its model, or the variant's name. */
  name: string;
  /** Best first. */
  results: readonly ListedResult[];
}

/** Results by their place in a list, from 0, that are drawn: from `from` to before `to`. */
export interface DrawnRange {
  from: number;
  to: number;
}

/** Of each document, where it comes first in a list. */
export function rankByIndex({ results }: Pick<RankedList, 'results'>): Map<number, number> {
  const places = new Map<number, number>();
  for (const [place, { index }] of results.entries()) {
    if (index !== null && !places.has(index)) places.set(index, place);
  }
  return places;
}

/**
 * The path of an SVG between two lists, for all documents or `only` one: those lines that cross the range that is
 * drawn. Empty if there is none.
 */
export function linePath(
  left: ReadonlyMap<number, number>,
  right: ReadonlyMap<number, number>,
  { from, to }: DrawnRange,
  only: number | null = null,
): string {
  const parts: string[] = [];
  for (const [index, place] of left) {
    const other = right.get(index);
    if (other === undefined || (only !== null && index !== only)) continue;
    if (Math.max(place, other) < from || Math.min(place, other) >= to) continue;
    const [start, end] = [getMiddle(place), getMiddle(other)];
    const half = GAP_WIDTH / 2;
    parts.push(`M0 ${start}C${half} ${start} ${half} ${end} ${GAP_WIDTH} ${end}`);
  }
  return parts.join('');
}

function getMiddle(place: number): number {
  return place * RESULT_HEIGHT + RESULT_HEIGHT / 2;
}
