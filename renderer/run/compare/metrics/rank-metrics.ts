/** Scores rankings like trec_eval: unlabeled documents are irrelevant, and repeats count once. */

export interface RankedResult {
  /** Metrics ignore null and repeated indexes. */
  index: number | null;
  /** Adjacent equal scores are tied; null is never tied. */
  relevanceScore: number | null;
}

export interface RankAgreement {
  /** From -1 (reversed) to 1 (same order); null if fewer than two documents are comparable. */
  tau: number | null;
  /** The number of documents in both rankings. */
  commonCount: number;
  /** The number of documents in only one ranking. */
  onlyInOne: number;
  onlyInOther: number;
  hasTies: boolean;
}

/**
 * Kendall's tau-b handles ties. Source: M. G. Kendall, Biometrika 33(3), 1945
 * (https://doi.org/10.1093/biomet/33.3.239), same result as
 * https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.kendalltau.html. Algorithm: W.
 * R. Knight, JASA 61(314), 1966.
 */
export function computeKendallTau(
  one: readonly RankedResult[],
  other: readonly RankedResult[],
): RankAgreement {
  const [ranks, otherRanks] = [getRanks(one), getRanks(other)];
  const pairs: RankPair[] = [];
  for (const [index, rank] of ranks) {
    const otherRank = otherRanks.get(index);
    if (otherRank !== undefined) pairs.push([rank, otherRank]);
  }
  pairs.sort(([x, y], [nextX, nextY]) => x - nextX || y - nextY);
  const all = countPairs(pairs.length);
  const tied = countTiedPairs(pairs, (pair, next) => pair[0] === next[0]);
  const tiedInBoth = countTiedPairs(
    pairs,
    (pair, next) => pair[0] === next[0] && pair[1] === next[1],
  );
  const { sorted, discordant } = sortCounting(pairs.map(([, rank]) => rank));
  const otherTied = countTiedPairs(sorted, (rank, next) => rank === next);
  const concordant = all - tied - otherTied + tiedInBoth - discordant;
  const scale = Math.sqrt(all - tied) * Math.sqrt(all - otherTied);
  return {
    tau: scale === 0 ? null : Math.max(-1, Math.min(1, (concordant - discordant) / scale)),
    commonCount: pairs.length,
    onlyInOne: ranks.size - pairs.length,
    onlyInOther: otherRanks.size - pairs.length,
    hasTies: tied + otherTied > 0,
  };
}

export interface RankOverlap {
  sharedCount: number;
  /** `k`, or the length of the shorter ranking if that is less. */
  depth: number;
  /** From 0 to 1; null if a ranking is empty. */
  share: number | null;
}

/**
 * Returns the share of common documents in the first k, in any order; ties keep their order.
 * Source: W. Webber, A. Moffat and J. Zobel, ACM TOIS 28(4), 2010
 * (https://doi.org/10.1145/1852102.1852106).
 */
export function computeOverlap(
  one: readonly RankedResult[],
  other: readonly RankedResult[],
  k: number,
): RankOverlap {
  const [ones, others] = [[...getRanks(one).keys()], [...getRanks(other).keys()]];
  const depth = Math.min(k, ones.length, others.length);
  const first = new Set(ones.slice(0, depth));
  const sharedCount = others.slice(0, depth).filter((index) => first.has(index)).length;
  return { sharedCount, depth, share: depth === 0 ? null : sharedCount / depth };
}

type RankPair = readonly [number, number];

/** Maps document indexes to ranks; tied documents share a rank. */
function getRanks(results: readonly RankedResult[]): Map<number, number> {
  const ranks = new Map<number, number>();
  let rank = 0;
  let score: number | null = null;
  for (const { index, relevanceScore } of results) {
    if (index === null || ranks.has(index)) continue;
    if (relevanceScore === null || relevanceScore !== score) rank += 1;
    score = relevanceScore;
    ranks.set(index, rank);
  }
  return ranks;
}

function countPairs(count: number): number {
  return (count * (count - 1)) / 2;
}

/** Counts tied pairs in a sorted list. */
function countTiedPairs<Item>(
  sorted: readonly Item[],
  isTied: (item: Item, next: Item) => boolean,
) {
  let pairs = 0;
  let length = 1;
  for (const [at, item] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next !== undefined && isTied(item, next)) length += 1;
    else {
      pairs += countPairs(length);
      length = 1;
    }
  }
  return pairs;
}

function sortCounting(values: readonly number[]): { sorted: number[]; discordant: number } {
  if (values.length < 2) return { sorted: [...values], discordant: 0 };
  const half = values.length >> 1;
  const [left, right] = [sortCounting(values.slice(0, half)), sortCounting(values.slice(half))];
  let discordant = left.discordant + right.discordant;
  const sorted: number[] = [];
  let at = 0;
  for (const value of right.sorted) {
    for (; at < half; at += 1) {
      const other = left.sorted[at];
      if (other === undefined || other > value) break;
      sorted.push(other);
    }
    discordant += half - at;
    sorted.push(value);
  }
  sorted.push(...left.sorted.slice(at));
  return { sorted, discordant };
}

/** Labels: not relevant (0), related (1), relevant (2) and exact (3). */
export const relevanceLabels = [0, 1, 2, 3] as const;
export type RelevanceLabel = (typeof relevanceLabels)[number];

export function readRelevanceLabel(text: string): RelevanceLabel | undefined {
  return relevanceLabels.find((label) => String(label) === text);
}

export type RelevanceLabels = ReadonlyMap<number, RelevanceLabel>;
/** Null is a result without a document; it still occupies a rank. */
type DocumentRanking = readonly (number | null)[];

/**
 * Returns Σ (2^label - 1) / log2(rank + 1) for the first `k`, as in C. Burges et al., ICML 2005
 * (https://doi.org/10.1145/1102351.1102363).
 */
export function computeDcg(ranking: DocumentRanking, labels: RelevanceLabels, k: number): number {
  return sumDiscounted(getLabels(ranking, labels).slice(0, k));
}

/** Returns DCG divided by the ideal DCG, or null if no label is above 0. */
export function computeNdcg(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  k: number,
): number | null {
  const ideal = [...labels.values()].sort((one, other) => other - one).slice(0, k);
  const best = sumDiscounted(ideal);
  return best === 0 ? null : computeDcg(ranking, labels, k) / best;
}

/** Returns 0 if no relevant document is ranked, and null if no document is labeled relevant. */
export function computeReciprocalRank(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
): number | null {
  if (countRelevant([...labels.values()]) === 0) return null;
  const at = getLabels(ranking, labels).findIndex((label) => label > 0);
  return at < 0 ? 0 : 1 / (at + 1);
}

/** Divides by `k` even if fewer results are ranked, like trec_eval; null if there are no labels. */
export function computePrecision(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  k: number,
): number | null {
  if (labels.size === 0 || k <= 0) return null;
  return countRelevant(getLabels(ranking, labels).slice(0, k)) / k;
}

/** Returns null if no document is labeled relevant. */
export function computeRecall(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  k: number,
): number | null {
  const all = countRelevant([...labels.values()]);
  return all === 0 ? null : countRelevant(getLabels(ranking, labels).slice(0, k)) / all;
}

function getLabels(ranking: DocumentRanking, labels: RelevanceLabels): RelevanceLabel[] {
  const seen = new Set<number>();
  return ranking.map((index) => {
    if (index === null || seen.has(index)) return 0;
    seen.add(index);
    return labels.get(index) ?? 0;
  });
}

function sumDiscounted(labels: readonly RelevanceLabel[]): number {
  return labels.reduce<number>((sum, label, at) => sum + (2 ** label - 1) / Math.log2(at + 2), 0);
}

function countRelevant(labels: readonly RelevanceLabel[]): number {
  return labels.filter((label) => label > 0).length;
}
