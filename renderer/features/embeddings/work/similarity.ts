import type { Vectors } from '../../../../shared/operations/embeddings/npy.ts';
import { compare, getDot, getLengths, getRow, listRows, type Measure } from './vector-math.ts';

/** More rows would be unreadable in a canvas or table. */
export const MAX_MATRIX_ROWS = 1000;

export interface Matrix {
  /** The rows of the matrix, in the order of the inputs. */
  rows: number[];
  /** Positions in `rows` that put similar inputs next to each other. */
  similarOrder: number[];
  /** Stored row by row. */
  scores: Float32Array;
  /** The lowest and highest score off the diagonal. */
  min: number;
  max: number;
}

export function computeMatrix(vectors: Vectors, measure: Measure): Matrix {
  const rows = listRows(vectors).slice(0, MAX_MATRIX_ROWS);
  const lengths = getLengths(vectors);
  const scores = new Float32Array(rows.length ** 2);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const [at, first] of rows.entries()) {
    for (let other = at; other < rows.length; other += 1) {
      const score = compare(vectors, lengths, [first, rows[other] ?? 0], measure);
      scores[at * rows.length + other] = score;
      scores[other * rows.length + at] = score;
      if (other === at || Number.isNaN(score)) continue;
      min = Math.min(min, score);
      max = Math.max(max, score);
    }
  }
  if (rows.length < 2) [min, max] = [0, 1];
  return { rows, similarOrder: orderBySimilarity(scores, rows.length), scores, min, max };
}

/** Follows each row with the most similar remaining row, which groups similar rows. */
function orderBySimilarity(scores: Float32Array, count: number): number[] {
  const left = new Set(Array.from({ length: count }, (_, at) => at));
  const order: number[] = [];
  let current = 0;
  while (left.size > 0) {
    left.delete(current);
    order.push(current);
    const from = current * count;
    let best = Number.NEGATIVE_INFINITY;
    // Scores of infinite numbers are NaN, which is never the best.
    [current = 0] = left;
    for (const at of left) {
      const score = scores[from + at] ?? 0;
      if (score > best) [current, best] = [at, score];
    }
  }
  return order;
}

export interface Neighbor {
  row: number;
  score: number;
}

/** Returns the rows nearest to `query`, best first, excluding row `except`. */
export function findNeighbors(
  vectors: Vectors,
  query: Float32Array,
  measure: Measure,
  except: number | null,
  lengths = getLengths(vectors),
): Neighbor[] {
  const length = Math.sqrt(getDot(query, query));
  return listRows(vectors)
    .filter((row) => row !== except)
    .map((row) => {
      const dot = getDot(getRow(vectors, row), query);
      const scale = measure === 'dot' ? 1 : (lengths[row] ?? 0) * length;
      return { row, score: scale === 0 ? 0 : dot / scale };
    })
    .sort((first, second) => second.score - first.score || first.row - second.row);
}
