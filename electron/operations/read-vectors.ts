/** Reads the vectors of an embeddings response, and replaces them with references. */
import type { JsonValue } from '../../shared/json.ts';
import { mapVectors, type StoredVector } from '../../shared/operations/embeddings/vector-places.ts';
import { readVector } from './read-vector.ts';

export interface Batch {
  count: number;
  /** The requested encoding or type. */
  format: string;
}

export interface VectorPlace {
  /** The row of the batch's first input. */
  firstRow: number;
  /** The length of each vector, or 0 if it isn't known yet. */
  dimensions: number;
  /** The reference to the file that the vectors are written to. */
  media: string;
}

export interface ReadVectors {
  /** The response with references in place of the vectors. */
  recorded: JsonValue;
  /** One row for each input; the rows of missing vectors are NaN. */
  values: Float32Array<ArrayBuffer>;
  dimensions: number;
}

/** Returns null if the response has no usable vector. */
export function readVectors(
  response: JsonValue,
  { count, format }: Batch,
  place: VectorPlace,
): ReadVectors | null {
  let { dimensions } = place;
  const found = new Map<number, Float32Array>();
  const recorded = mapVectors(response, count, (value, index) => {
    if (index >= count || found.has(index)) return value;
    const vector = readVector(value, format);
    if (vector === null) return value;
    const { values, encoding } = vector;
    if (dimensions === 0) dimensions = values.length;
    if (values.length !== dimensions) return value;
    found.set(index, values);
    const row = place.firstRow + index;
    return { media: place.media, row, dimensions, encoding } satisfies StoredVector;
  });
  if (recorded === null || found.size === 0) return null;
  const values = new Float32Array(count * dimensions).fill(Number.NaN);
  for (const [index, vector] of found) values.set(vector, index * dimensions);
  return { recorded, values, dimensions };
}
