import type { Vectors } from '../../../../shared/operations/embeddings/npy.ts';

export type Measure = 'cosine' | 'dot';

export function countRows({ values, dimensions }: Vectors): number {
  return values.length / dimensions;
}

export function getRow({ values, dimensions }: Vectors, row: number): Float32Array {
  return values.subarray(row * dimensions, (row + 1) * dimensions);
}

/** Returns false for a row without a vector, which consists of NaN. */
export function hasVector({ values, dimensions }: Vectors, row: number): boolean {
  return !Number.isNaN(values[row * dimensions] ?? Number.NaN);
}

/** Returns the rows that have a vector. */
export function listRows(vectors: Vectors): number[] {
  return Array.from({ length: countRows(vectors) }, (_, row) => row).filter((row) =>
    hasVector(vectors, row),
  );
}

export function getDot(first: Float32Array, second: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < first.length; at += 1) sum += (first[at] ?? 0) * (second[at] ?? 0);
  return sum;
}

/** Returns each row's length, which cosine similarity divides by. */
export function getLengths(vectors: Vectors): Float64Array {
  return Float64Array.from({ length: countRows(vectors) }, (_, row) => {
    const vector = getRow(vectors, row);
    return Math.sqrt(getDot(vector, vector));
  });
}

/** Returns a cosine of 0 if one of the vectors is zero. */
export function compare(
  vectors: Vectors,
  lengths: Float64Array,
  [first, second]: readonly [number, number],
  measure: Measure,
): number {
  const dot = getDot(getRow(vectors, first), getRow(vectors, second));
  if (measure === 'dot') return dot;
  const scale = (lengths[first] ?? 0) * (lengths[second] ?? 0);
  return scale === 0 ? 0 : Math.max(-1, Math.min(1, dot / scale));
}
