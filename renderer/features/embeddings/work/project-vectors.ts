import { UMAP } from 'umap-js';
import type { Vectors } from '../../../../shared/operations/embeddings/npy.ts';
import { clusterPoints } from './cluster-points.ts';
import { getDot, getRow, listRows } from './vector-math.ts';

export type ProjectionMethod = 'pca' | 'umap';

export interface Projection {
  rows: number[];
  /** The x and y coordinates of each row. */
  points: Float32Array;
  /** The share of the variance that the map shows, from 0 to 1; null for UMAP. */
  explained: number | null;
  /** The cluster of each row, from 0. */
  clusters: number[];
}

export function projectVectors(vectors: Vectors, method: ProjectionMethod): Projection {
  const rows = listRows(vectors);
  if (method === 'pca' || rows.length < MIN_UMAP_ROWS) {
    const { coordinates, explained } = computePca(vectors, rows, 2, EXACT_STEPS);
    const points = interleave(coordinates, rows.length);
    return { rows, points, explained, clusters: clusterPoints(points) };
  }
  // Reducing vectors to their principal components makes UMAP faster, with results as good.
  const { coordinates } = computePca(vectors, rows, Math.min(15, rows.length - 1), ROUGH_STEPS);
  const data = rows.map((_, at) => coordinates.map((column) => column[at] ?? 0));
  const umap = new UMAP({
    nComponents: 2,
    nEpochs: 200,
    nNeighbors: Math.min(15, rows.length - 1),
    random: createRandom(1),
  });
  const points = Float32Array.from(umap.fit(data).flatMap(([x = 0, y = 0]) => [x, y]));
  return { rows, points, explained: null, clusters: clusterPoints(points) };
}

/** UMAP can't find neighborhoods in fewer rows. */
export const MIN_UMAP_ROWS = 10;
const EXACT_STEPS = 60;
const ROUGH_STEPS = 6;

/** Finds principal components one at a time by power iteration, without a covariance matrix. */
function computePca(vectors: Vectors, rows: readonly number[], count: number, maxSteps: number) {
  const { dimensions } = vectors;
  const mean = new Float64Array(dimensions);
  for (const row of rows) addScaled(mean, getRow(vectors, row), 1 / rows.length);
  let variance = 0;
  for (const row of rows) {
    const vector = getRow(vectors, row);
    for (let at = 0; at < dimensions; at += 1) {
      variance += ((vector[at] ?? 0) - (mean[at] ?? 0)) ** 2;
    }
  }
  const random = createRandom(7);
  const components: Float64Array[] = [];
  const coordinates: Float64Array[] = [];
  let explained = 0;
  for (let component = 0; component < count; component += 1) {
    let axis: Float64Array = Float64Array.from({ length: dimensions }, () => random() - 0.5);
    removeComponents(axis, components);
    axis = normalize(axis);
    let projected: Float64Array = new Float64Array(rows.length);
    for (let step = 0; step < maxSteps; step += 1) {
      projected = project(vectors, rows, mean, axis);
      const next = new Float64Array(dimensions);
      for (const [at, row] of rows.entries())
        addScaled(next, getRow(vectors, row), projected[at] ?? 0);
      addScaled(next, mean, -projected.reduce((sum, value) => sum + value, 0));
      removeComponents(next, components);
      // Only rounding noise is left if the other components explain all of the variance.
      if (Math.sqrt(computeDotProduct(next, next)) <= variance * 1e-6) {
        axis = new Float64Array(dimensions);
        break;
      }
      const turned = normalize(next);
      const change = 1 - Math.abs(computeDotProduct(turned, axis));
      axis = turned;
      if (change < 1e-6) break;
    }
    projected = project(vectors, rows, mean, axis);
    components.push(axis);
    coordinates.push(projected);
    explained += projected.reduce((sum, value) => sum + value * value, 0);
  }
  return { coordinates, explained: variance === 0 ? 0 : explained / variance };
}

function removeComponents(axis: Float64Array, components: readonly Float64Array[]): void {
  for (const known of components) addScaled(axis, known, -computeDotProduct(axis, known));
}

function project(
  vectors: Vectors,
  rows: readonly number[],
  mean: Float64Array,
  axis: Float64Array,
): Float64Array {
  const offset = computeDotProduct(mean, axis);
  const direction = Float32Array.from(axis);
  return Float64Array.from(rows, (row) => getDot(getRow(vectors, row), direction) - offset);
}

function addScaled(sum: Float64Array, values: Float32Array | Float64Array, scale: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + scale * (values[at] ?? 0);
}

function computeDotProduct(first: Float64Array, second: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < first.length; at += 1) sum += (first[at] ?? 0) * (second[at] ?? 0);
  return sum;
}

function normalize(axis: Float64Array): Float64Array {
  const length = Math.sqrt(computeDotProduct(axis, axis));
  return length === 0 ? axis : axis.map((value) => value / length);
}

function interleave(coordinates: readonly Float64Array[], count: number): Float32Array {
  const [x, y] = coordinates;
  const points = new Float32Array(2 * count);
  for (let at = 0; at < count; at += 1) {
    points[2 * at] = x?.[at] ?? 0;
    points[2 * at + 1] = y?.[at] ?? 0;
  }
  return points;
}

/** A seed gives the same map each time (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
