import type { Vectors } from '../../../../shared/operations/embeddings/npy.ts';
import { findNeighbors, type Neighbor } from './similarity.ts';
import { countRows, getLengths, getRow, hasVector } from './vector-math.ts';

export interface VectorComparison {
  /** For each file, the other inputs by similarity to the first one. */
  rankings: Neighbor[][];
  /** The share of neighbors that two files have in common, over all inputs; null if undefined. */
  agreements: (number | null)[][];
  /** The number of inputs that the agreement covers. */
  rowCount: number;
}

/** More inputs would take minutes, because each is compared with all others. */
export const MAX_COMPARED_ROWS = 500;

export function compareVectors(files: readonly Vectors[], k: number): VectorComparison {
  const rows = files.length === 0 ? 0 : Math.min(...files.map(countRows));
  const rowCount = Math.min(rows, MAX_COMPARED_ROWS);
  const sets = files.map((vectors) => listNeighborSets(vectors, rowCount, k));
  return {
    rankings: files.map((vectors) =>
      rows > 0 && hasVector(vectors, 0)
        ? findNeighbors(vectors, getRow(vectors, 0), 'cosine', 0)
        : [],
    ),
    agreements: sets.map((first) => sets.map((second) => getAgreement(first, second))),
    rowCount,
  };
}

/** Returns the nearest `k` rows of each row; empty for a row without a vector. */
function listNeighborSets(vectors: Vectors, rowCount: number, k: number): number[][] {
  const lengths = getLengths(vectors);
  return Array.from({ length: rowCount }, (_, row) =>
    hasVector(vectors, row)
      ? findNeighbors(vectors, getRow(vectors, row), 'cosine', row, lengths)
          .slice(0, k)
          .map((neighbor) => neighbor.row)
      : [],
  );
}

/** Averages the neighbor overlap of the inputs that have neighbors in both files. */
function getAgreement(first: readonly number[][], second: readonly number[][]): number | null {
  const shares = first.flatMap((neighbors, row) => {
    const others = new Set(second[row]);
    const depth = Math.min(neighbors.length, others.size);
    return depth === 0 ? [] : [neighbors.filter((one) => others.has(one)).length / depth];
  });
  return shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
