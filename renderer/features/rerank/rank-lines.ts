/** All results have the same height in pixels, so drawing lines needs no measuring. */
export const RESULT_HEIGHT = 76;
export const GAP_WIDTH = 56;

export interface ListedResult {
  /** `index` is null if the document was not sent. */
  index: number | null;
  score: number | null;
  text: string | null;
  problem?: string | null;
}

export interface RankedList {
  id: string;
  name: string;
  /** The best result comes first. */
  results: readonly ListedResult[];
}

/** The list draws places from `from` up to but not including `to`. */
export interface DrawnRange {
  from: number;
  to: number;
}

export function rankByIndex({ results }: Pick<RankedList, 'results'>): Map<number, number> {
  const places = new Map<number, number>();
  for (const [place, { index }] of results.entries()) {
    if (index !== null && !places.has(index)) places.set(index, place);
  }
  return places;
}

/** Returns the SVG path of the lines in the range, for all documents or only for index `only`. */
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
