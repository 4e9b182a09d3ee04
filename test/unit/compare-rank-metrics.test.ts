import { describe, expect, test } from 'vitest';
import {
  computeDcg,
  computeKendallTau,
  computeNdcg,
  computeOverlap,
  computePrecision,
  computeRecall,
  computeReciprocalRank,
  type RankedResult,
  type RelevanceLabel,
} from '../../renderer/run/compare/metrics/rank-metrics.ts';

/** Ranks documents by their scores. */
function byScore(scores: readonly number[]): RankedResult[] {
  return scores
    .map((relevanceScore, index) => ({ index, relevanceScore }))
    .sort((one, other) => other.relevanceScore - one.relevanceScore);
}

const inOrder = (...indexes: (number | null)[]): RankedResult[] =>
  indexes.map((index) => ({ index, relevanceScore: null }));

describe("Kendall's tau-b", () => {
  test('matches the example of scipy.stats.kendalltau with ties', () => {
    const { tau, hasTies } = computeKendallTau(
      byScore([12, 2, 1, 12, 2]),
      byScore([1, 4, 7, 1, 0]),
    );
    expect(tau).toBeCloseTo(-0.47140452079103173, 12);
    expect(hasTies).toBe(true);
  });

  test('agrees with a count of every pair', () => {
    let seed = 3;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 50; round += 1) {
      const count = 2 + next(40);
      const scores = Array.from({ length: count }, () => next(12));
      const others = Array.from({ length: count }, () => next(12));
      const { tau } = computeKendallTau(byScore(scores), byScore(others));
      expect(tau ?? 'none').toBeCloseTo(tauOfAllPairs(scores, others), 9);
    }
  });

  test('ranges from 1 for the same order to -1 for the reversed order', () => {
    expect(computeKendallTau(inOrder(3, 1, 2, 0), inOrder(3, 1, 2, 0)).tau).toBe(1);
    expect(computeKendallTau(inOrder(3, 1, 2, 0), inOrder(0, 2, 1, 3)).tau).toBe(-1);
  });

  test('compares common documents and counts the others', () => {
    expect(computeKendallTau(inOrder(4, 1, null, 2, 1), inOrder(1, 2, 3))).toEqual({
      tau: 1,
      commonCount: 2,
      onlyInOne: 1,
      onlyInOther: 1,
      hasTies: false,
    });
  });

  test('returns null if no documents can be compared', () => {
    expect(computeKendallTau([], inOrder(1, 2)).tau).toBeNull();
    expect(computeKendallTau(inOrder(1), inOrder(1)).tau).toBeNull();
    expect(computeKendallTau(byScore([1, 1, 1]), byScore([1, 2, 3])).tau).toBeNull();
  });
});

/** Computes tau from its definition, pair by pair. */
function tauOfAllPairs(scores: readonly number[], others: readonly number[]): number {
  let [difference, untied, otherUntied] = [0, 0, 0];
  for (const [at, score] of scores.entries()) {
    for (let before = 0; before < at; before += 1) {
      const one = Math.sign(score - (scores[before] ?? 0));
      const other = Math.sign((others[at] ?? 0) - (others[before] ?? 0));
      difference += one * other;
      untied += Math.abs(one);
      otherUntied += Math.abs(other);
    }
  }
  return difference / Math.sqrt(untied * otherUntied);
}

test('limits the overlap at k to the length of the shorter ranking', () => {
  const overlap = computeOverlap(inOrder(0, 1, 2, 3), inOrder(2, 9, 0, 1), 3);
  expect(overlap).toEqual({ sharedCount: 2, depth: 3, share: 2 / 3 });
  const shorter = computeOverlap(inOrder(0, 1), inOrder(1, 0, 2, 3), 10);
  expect(shorter).toEqual({ sharedCount: 2, depth: 2, share: 1 });
  expect(computeOverlap([], inOrder(1), 10).share).toBeNull();
});

/** Labels documents by position, as published examples do. */
function judged(...labels: RelevanceLabel[]) {
  return { ranking: labels.map((_, index) => index), labels: new Map(labels.entries()) };
}

describe('DCG and nDCG', () => {
  test('matches a published DCG example', () => {
    const { ranking, labels } = judged(3, 2, 3, 0, 1);
    expect(computeDcg(ranking, labels, 5)).toBeCloseTo(12.78, 2);
    const ideal = 7 + 7 / Math.log2(3) + 3 / 2 + 1 / Math.log2(5);
    expect(computeNdcg(ranking, labels, 5)).toBeCloseTo(12.7796 / ideal, 4);
    expect(computeNdcg([0, 2, 1, 4, 3], labels, 3)).toBe(1);
  });

  test('counts no gain for an unlabeled, missing or repeated document', () => {
    const labels = new Map<number, RelevanceLabel>([[0, 3]]);
    expect(computeDcg([7, null, 0, 0], labels, 10)).toBeCloseTo(7 / Math.log2(4), 9);
    expect([computeNdcg([0], labels, 10), computeNdcg([7], labels, 10)]).toEqual([1, 0]);
    expect(computeNdcg([0], new Map([[0, 0]]), 10)).toBeNull();
  });
});

test('matches the reciprocal ranks in a published example', () => {
  const ranks = [judged(0, 0, 1), judged(0, 1, 0), judged(1, 0, 0)].map(({ ranking, labels }) =>
    computeReciprocalRank(ranking, labels),
  );
  expect(ranks).toEqual([1 / 3, 1 / 2, 1]);
  expect(computeReciprocalRank([1], judged(1, 0).labels)).toBe(0);
  expect(computeReciprocalRank([0], judged(0).labels)).toBeNull();
});

test('solves exercise 8.9 of Introduction to Information Retrieval', () => {
  const found = 'RRNNNNNNRNRNNNRNNNNR';
  const { ranking, labels } = judged(...Array.from(found, (one) => (one === 'R' ? 1 : 0)));
  // Eight documents are relevant; two of them weren't found.
  labels.set(20, 1).set(21, 1);
  expect(computePrecision(ranking, labels, 20)).toBeCloseTo(6 / 20, 9);
  expect(computeRecall(ranking, labels, 20)).toBeCloseTo(6 / 8, 9);
  expect(computePrecision(ranking, labels, 2)).toBe(1);
  expect(computePrecision([0, 1], labels, 5)).toBe(0.4);
  expect(computePrecision([0], new Map(), 5)).toBeNull();
  expect(computeRecall([0], new Map([[0, 0]]), 5)).toBeNull();
});
