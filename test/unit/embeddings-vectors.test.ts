import { describe, expect, it } from 'vitest';
import { compareVectors } from '../../renderer/features/embeddings/work/compare-vectors.ts';
import {
  exportVectors,
  toNumbers,
} from '../../renderer/features/embeddings/work/export-vectors.ts';
import { projectVectors } from '../../renderer/features/embeddings/work/project-vectors.ts';
import {
  computeMatrix,
  findNeighbors,
} from '../../renderer/features/embeddings/work/similarity.ts';
import { getRow } from '../../renderer/features/embeddings/work/vector-math.ts';
import { readCsv } from '../../renderer/lib/csv.ts';
import { encodeNpyHeader, readNpy, type Vectors } from '../../shared/operations/embeddings/npy.ts';

const toVectors = (...rows: number[][]): Vectors => ({
  values: Float32Array.from(rows.flat()),
  dimensions: rows[0]?.length ?? 1,
});
const none = [Number.NaN, Number.NaN];
const vectors = toVectors([1, 0], [0, 2], none, [3, 3]);

describe('similarity', () => {
  it.each([
    ['cosine', [1, 0, Math.SQRT1_2, 0, 1, Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2, 1]],
    ['dot', [1, 0, 3, 0, 4, 6, 3, 6, 18]],
  ] as const)('computes %s of all pairs, without inputs that have no vector', (measure, scores) => {
    const matrix = computeMatrix(vectors, measure);
    expect(matrix.rows).toEqual([0, 1, 3]);
    for (const [at, score] of scores.entries()) expect(matrix.scores[at]).toBeCloseTo(score, 6);
  });

  it('scales colors by the pairs of different inputs', () => {
    const { min, max } = computeMatrix(vectors, 'dot');
    expect([min, max]).toEqual([0, 6]);
  });

  it('puts similar inputs next to each other', () => {
    const groups = toVectors([1, 0], [0, 1], [1, 0.1], [0.1, 1]);
    expect(computeMatrix(groups, 'cosine').similarOrder).toEqual([0, 2, 3, 1]);
  });

  it('places vectors with infinite numbers, but excludes them from the range', () => {
    const infinite = [0, Number.POSITIVE_INFINITY];
    const given = toVectors(infinite, [1, 0], infinite, [0, 1]);
    const { similarOrder, min, max } = computeMatrix(given, 'cosine');
    expect(similarOrder.toSorted()).toEqual([0, 1, 2, 3]);
    expect([min, max]).toEqual([0, 0]);
  });

  it('lists neighbors from nearest to farthest, without the input itself', () => {
    const neighbors = findNeighbors(vectors, getRow(vectors, 1), 'cosine', 1);
    expect(neighbors.map(({ row }) => row)).toEqual([3, 0]);
    const near = findNeighbors(vectors, Float32Array.of(5, 0), 'dot', null);
    const found = near.map(({ row, score }) => `${row} ${score}`);
    expect(found).toEqual(['3 15', '0 5', '1 0']);
  });

  it('gives a zero vector a cosine of 0', () => {
    const zero = toVectors([0, 0], [1, 1]);
    expect(computeMatrix(zero, 'cosine').scores[1]).toBe(0);
    expect(findNeighbors(zero, getRow(zero, 0), 'cosine', 0)).toEqual([{ row: 1, score: 0 }]);
  });
});

describe('the map', () => {
  const line = toVectors(...Array.from({ length: 20 }, (_, at) => [at, 2 * at, 0]));

  it('shows the full variance of collinear points, in their order', () => {
    const { points, explained } = projectVectors(line, 'pca');
    expect(explained).toBeCloseTo(1, 6);
    const places = Array.from({ length: 20 }, (_, at) => points[2 * at] ?? 0);
    const sorted = places.toSorted((a, b) => a - b);
    expect([sorted, sorted.toReversed()]).toContainEqual(places);
  });

  it('separates groups with UMAP, and draws the same map each time', () => {
    const rows = Array.from({ length: 40 }, (_, at) => [
      10 * (1 - (at % 2)),
      10 * (at % 2),
      at / 40,
    ]);
    const groups = toVectors(...rows);
    const { points, explained } = projectVectors(groups, 'umap');
    expect(explained).toBeNull();
    const gap = (one: number, other: number) => (points[one] ?? 0) - (points[other] ?? 0);
    const distance = (one: number, other: number) =>
      Math.hypot(gap(2 * one, 2 * other), gap(2 * one + 1, 2 * other + 1));
    expect(distance(0, 20)).toBeLessThan(distance(0, 21));
    expect(projectVectors(groups, 'umap').points).toEqual(points);
  });

  it.each([
    ['one vector', toVectors([1, 2])],
    ['equal vectors', toVectors([1, 2], [1, 2])],
    ['an input without a vector', toVectors(none)],
  ])('places %s at finite points', (_name, given) => {
    expect(projectVectors(given, 'pca').points.every(Number.isFinite)).toBe(true);
  });
});

describe('export', () => {
  const names = ['a', 'b, "c"', 'd', 'e'];

  it('exports JSON and CSV with numbers that restore the same vectors', async () => {
    const tenth = toVectors([0.1, 1 / 3], none);
    const json = JSON.parse(await exportVectors(tenth, names, 'json').text());
    expect(json).toEqual([
      { index: 0, input: 'a', embedding: [0.1, expect.any(Number)] },
      { index: 1, input: 'b, "c"', embedding: null },
    ]);
    expect(Float32Array.from(json[0].embedding)).toEqual(getRow(tenth, 0));
    const rows = readCsv(await exportVectors(tenth, names, 'csv').text());
    expect(rows[0]).toEqual(['index', 'input', 'd0', 'd1']);
    expect(rows[1]?.slice(0, 3)).toEqual(['0', 'a', '0.1']);
    expect(rows[2]).toEqual(['1', 'b, "c"', '', '']);
  });

  it('writes a file that NumPy reads', async () => {
    const file = await exportVectors(vectors, names, 'npy').arrayBuffer();
    const head = String.fromCharCode(...new Uint8Array(file, 10, 118));
    expect(head).toMatch(/^\{'descr': '<f4', 'fortran_order': False, 'shape': \(4, 2\), \} *\n$/);
    expect(readNpy(file)).toEqual(vectors);
  });

  it('reads the rows written by an interrupted run', () => {
    const row = new Uint8Array(Float32Array.of(1, 2).buffer);
    const file = Uint8Array.from([...encodeNpyHeader(9, 2), ...row, 0, 0]).buffer;
    expect(readNpy(file)).toEqual(toVectors([1, 2]));
  });

  it.each([[new ArrayBuffer(4)], [new ArrayBuffer(200)]])(
    'rejects files that hold no vectors',
    (file) => {
      expect(readNpy(file)).toBeNull();
    },
  );

  it('returns null for an input without a vector', () => {
    expect(toNumbers(vectors, 2)).toBeNull();
  });
});

describe('models', () => {
  const first = toVectors([1, 0], [1, 0.1], [0, 1], [0.1, 1]);
  const mirrored = toVectors([1, 0], [0, 1], [1, 0.1], [0.1, 1]);

  it('computes agreement from the share of common neighbors', () => {
    const { agreements, rowCount } = compareVectors([first, mirrored], 1);
    expect(rowCount).toBe(4);
    expect(agreements.join(' | ')).toBe('1,0 | 0,1');
  });

  it('ranks the other inputs by similarity to the first', () => {
    const { rankings } = compareVectors([first, mirrored], 2);
    const rows = rankings.map((ranking) => ranking.map(({ row }) => row));
    expect(rows.join(' | ')).toBe('1,3,2 | 2,3,1');
  });

  it('reports no agreement without vectors', () => {
    const { agreements, ...compared } = compareVectors([toVectors(none), toVectors(none)], 3);
    expect(compared).toEqual({ rankings: [[], []], rowCount: 1 });
    expect(agreements.flat()).toEqual([null, null, null, null]);
  });
});
