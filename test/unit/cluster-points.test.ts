import { expect, it } from 'vitest';
import { countGroups } from '../../renderer/features/embeddings/map-points.ts';
import { clusterPoints } from '../../renderer/features/embeddings/work/cluster-points.ts';

/** Places `size` points around each center. */
function groups(centers: readonly (readonly [number, number])[], size: number): Float32Array {
  return Float32Array.from(
    centers.flatMap(([x, y]) =>
      Array.from({ length: size }, (_, at) => [x + Math.cos(at), y + Math.sin(at)]).flat(),
    ),
  );
}

it.each([2, 3, 5])('finds %d separate groups', (count) => {
  const centers = Array.from({ length: count }, (_, at) => [20 * at, 15 * (at % 2)] as const);
  const clusters = clusterPoints(groups(centers, 6));
  expect(countGroups(clusters)).toEqual(Array.from({ length: count }, () => 6));
  for (let at = 0; at < count; at += 1) {
    expect(new Set(clusters.slice(6 * at, 6 * at + 6)).size).toBe(1);
  }
});

it('leaves a few points, or equal ones, in one cluster', () => {
  expect(
    clusterPoints(
      groups(
        [
          [0, 0],
          [9, 9],
        ],
        2,
      ),
    ),
  ).toEqual([0, 0, 0, 0]);
  expect(clusterPoints(new Float32Array(24))).toEqual(Array.from({ length: 12 }, () => 0));
});
