/** The height of each result in pixels; it's fixed, so lines can be drawn without measuring. */
export const RESULT_HEIGHT = 76;
export const GAP_WIDTH = 56;

export interface ListedResult {
  /** Null if the document wasn't sent. */
  index: number | null;
  score: number | null;
  text: string | null;
  problem?: string | null;
}

export interface RankedList {
  id: string;
  name: string;
  /** Sorted from best to worst. */
  results: readonly ListedResult[];
}

/** The range of places that the list renders: `from` is included and `to` is excluded. */
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
