import { formatCsvRow } from '../../../../shared/csv.ts';
import { encodeNpyHeader, type Vectors } from '../../../../shared/operations/embeddings/npy.ts';
import { countRows, getRow, hasVector } from './vector-math.ts';

export type VectorFormat = 'json' | 'csv' | 'npy';

/** Writes one part per row, because one string of all vectors may exceed the maximum length. */
export function exportVectors(
  vectors: Vectors,
  inputs: readonly string[],
  format: VectorFormat,
): Blob {
  if (format === 'npy') {
    const header = encodeNpyHeader(countRows(vectors), vectors.dimensions);
    return new Blob([header.slice(), vectors.values.slice()], { type: 'application/octet-stream' });
  }
  const rows = Array.from({ length: countRows(vectors) }, (_, row) => row);
  if (format === 'json') {
    const items = rows.map((row, at) => {
      const item = { index: row, input: inputs[row] ?? null, embedding: toNumbers(vectors, row) };
      return `${at === 0 ? '' : ',\n'}${JSON.stringify(item)}`;
    });
    return new Blob(['[\n', ...items, '\n]\n'], { type: 'application/json' });
  }
  const names = Array.from({ length: vectors.dimensions }, (_, at) => `d${at}`);
  const lines = rows.map((row) => {
    const numbers = toNumbers(vectors, row) ?? names.map(() => null);
    return `${formatCsvRow([row, inputs[row] ?? '', ...numbers])}\r\n`;
  });
  return new Blob([`${formatCsvRow(['index', 'input', ...names])}\r\n`, ...lines], {
    type: 'text/csv',
  });
}

/** Returns the shortest decimals that give the same float32; null without a vector. */
export function toNumbers(vectors: Vectors, row: number): number[] | null {
  if (!hasVector(vectors, row)) return null;
  return Array.from(getRow(vectors, row), shortenFloat);
}

/** Seven digits are enough for most float32 values, and nine for all of them. */
function shortenFloat(value: number): number {
  const short = Number(value.toPrecision(7));
  return Math.fround(short) === value ? short : Number(value.toPrecision(9));
}
