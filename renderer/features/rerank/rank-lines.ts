/** All results have this height in pixels, so the lines between them need no measuring. */
export const RESULT_HEIGHT = 76;
export const GAP_WIDTH = 56;

export interface ListedResult {
  /** Null if the document was not sent. */
  index: number | null;
  score: number | null;
  text: string | null;
  /** Such as `Unknown index 999`. */
  problem?: string | null;
}

export interface RankedList {
  id: string;
  name: string;
  /** Best first. */
  results: readonly ListedResult[];
}

/** The places in a list that are drawn, from `from` up to but not including `to`. */
export interface DrawnRange {
  from: number;
  to: number;
}

/** Returns each document's first place in the list, by index. */
export function rankByIndex({ results }: Pick<RankedList, 'results'>): Map<number, number> {
  const places = new Map<number, number>();
  for (const [place, { index }] of results.entries()) {
    if (index !== null && !places.has(index)) places.set(index, place);
  }
  return places;
}

/** Returns the SVG path of the lines that cross the drawn range, for all documents or `only` one. */
export function buildLinePath(
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
