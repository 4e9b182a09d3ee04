/** Finds groups of near points on the map. */

const MAX_CLUSTERS = 8;
/** A cluster of fewer points is meaningless. */
const MIN_POINTS = 3;
/** Rating a number of clusters compares each sampled point with the rest of the sample. */
const MAX_SAMPLE = 200;
const MAX_STEPS = 50;

/**
 * Returns each point's cluster, from 0, by k-means; the number of clusters has the best silhouette
 * (https://doi.org/10.1016/0377-0427(87)90125-7). All are 0 if there are too few points.
 */
export function clusterPoints(points: Float32Array): number[] {
  const count = points.length / 2;
  let best = { clusters: Array.from({ length: count }, () => 0), rating: 0 };
  for (let k = 2; k <= Math.min(MAX_CLUSTERS, Math.floor(count / MIN_POINTS)); k += 1) {
    const clusters = groupByCenters(points, k);
    const rating = rateClusters(points, clusters);
    if (rating > best.rating) best = { clusters, rating };
  }
  return best.clusters;
}

function groupByCenters(points: Float32Array, k: number): number[] {
  const count = points.length / 2;
  const centers = spreadCenters(points, k);
  let clusters: number[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = Array.from({ length: count }, (_, at) => findNearest(points, at, centers));
    if (next.every((cluster, at) => cluster === clusters[at])) break;
    clusters = next;
    for (const [cluster, center] of centers.entries()) {
      const own = clusters.flatMap((one, at) => (one === cluster ? at : []));
      if (own.length === 0) continue;
      center.x = own.reduce((sum, at) => sum + (points[2 * at] ?? 0), 0) / own.length;
      center.y = own.reduce((sum, at) => sum + (points[2 * at + 1] ?? 0), 0) / own.length;
    }
  }
  return clusters;
}

interface Center {
  x: number;
  y: number;
}

/** Starts with the first point; each further center is the point farthest from the others. */
function spreadCenters(points: Float32Array, k: number): Center[] {
  const count = points.length / 2;
  const at = (index: number) => ({ x: points[2 * index] ?? 0, y: points[2 * index + 1] ?? 0 });
  const centers = [at(0)];
  while (centers.length < k) {
    let [farthest, most] = [0, -1];
    for (let index = 0; index < count; index += 1) {
      const { x, y } = at(index);
      const near = Math.min(...centers.map((center) => Math.hypot(center.x - x, center.y - y)));
      if (near > most) [farthest, most] = [index, near];
    }
    centers.push(at(farthest));
  }
  return centers;
}

function findNearest(points: Float32Array, at: number, centers: readonly Center[]): number {
  const [x, y] = [points[2 * at] ?? 0, points[2 * at + 1] ?? 0];
  let [best, nearest] = [0, Number.POSITIVE_INFINITY];
  for (const [cluster, center] of centers.entries()) {
    const distance = Math.hypot(center.x - x, center.y - y);
    if (distance < nearest) [best, nearest] = [cluster, distance];
  }
  return best;
}

/** Returns the mean silhouette of a sample, from -1 to 1. */
function rateClusters(points: Float32Array, clusters: readonly number[]): number {
  const step = Math.max(1, Math.ceil(clusters.length / MAX_SAMPLE));
  const sample = clusters.flatMap((_, at) => (at % step === 0 ? at : []));
  const distance = (a: number, b: number) =>
    Math.hypot(
      (points[2 * a] ?? 0) - (points[2 * b] ?? 0),
      (points[2 * a + 1] ?? 0) - (points[2 * b + 1] ?? 0),
    );
  let sum = 0;
  for (const at of sample) {
    const totals = new Map<number, { sum: number; count: number }>();
    for (const other of sample) {
      if (other === at) continue;
      const total = totals.get(clusters[other] ?? 0) ?? { sum: 0, count: 0 };
      totals.set(clusters[other] ?? 0, {
        sum: total.sum + distance(at, other),
        count: total.count + 1,
      });
    }
    const own = totals.get(clusters[at] ?? 0);
    totals.delete(clusters[at] ?? 0);
    const others = [...totals.values()].map((total) => total.sum / total.count);
    if (own === undefined || others.length === 0) continue;
    const [inside, outside] = [own.sum / own.count, Math.min(...others)];
    sum += (outside - inside) / Math.max(inside, outside, 1e-12);
  }
  return sum / Math.max(1, sample.length);
}
