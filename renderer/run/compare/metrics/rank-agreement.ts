/**
 * How alike two rankings of the same documents are. A ranking is what a reply has: documents by their index in the
 * request, in the order received, with their scores.
 */

export interface RankedResult {
  /** Null, and a second time the same, is left out: it says nothing about a document. */
  index: number | null;
  /** Results that follow each other with an equal score are tied; null is tied with nothing. */
  relevanceScore: number | null;
}

export interface RankAgreement {
  /** From -1, reversed, to 1, the same order; null if fewer than two documents or only ties are left. */
  tau: number | null;
  /** Documents that both rankings have: the only ones compared. */
  commonCount: number;
  /** Documents that only one of them has. */
  onlyInOne: number;
  onlyInOther: number;
  /** Whether pairs of common documents are tied in either. */
  hasTies: boolean;
}

/**
 * Kendall's tau-b, which allows for ties: (P - Q) / √((P + Q + T) (P + Q + U)), with P pairs in the same order, Q in
 * the opposite, T tied in one ranking alone and U in the other alone. M. G. Kendall, “The treatment of ties in ranking
 * problems”, Biometrika 33(3), 1945 (https://doi.org/10.1093/biomet/33.3.239), as in
 * https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.kendalltau.html; counted as in W. R. Knight, “A
 * computer method for calculating Kendall's tau with ungrouped data”, JASA 61(314), 1966.
 */
export function kendallTau(
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
  const all = pairCount(pairs.length);
  const tied = tiedPairs(pairs, (pair, next) => pair[0] === next[0]);
  const tiedInBoth = tiedPairs(pairs, (pair, next) => pair[0] === next[0] && pair[1] === next[1]);
  const { sorted, discordant } = sortCounting(pairs.map(([, rank]) => rank));
  const otherTied = tiedPairs(sorted, (rank, next) => rank === next);
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
  /** Documents among the first `depth` of both. */
  sharedCount: number;
  /** `k`, or fewer where a ranking is shorter. */
  depth: number;
  /** From 0 to 1; null if a ranking is empty. */
  share: number | null;
}

/**
 * Overlap at k: the share of their first k documents that two rankings have in common, in whatever order. “Agreement”
 * in W. Webber, A. Moffat and J. Zobel, “A similarity measure for indefinite rankings”, ACM TOIS 28(4), 2010
 * (https://doi.org/10.1145/1852102.1852106). The order received decides between ties.
 */
export function overlapAt(
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

/** By document, in the order received; tied documents have the same rank. */
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

function pairCount(count: number): number {
  return (count * (count - 1)) / 2;
}

/** Pairs that are equal, in a list where equals follow each other. */
function tiedPairs<Item>(sorted: readonly Item[], isTied: (item: Item, next: Item) => boolean) {
  let pairs = 0;
  let length = 1;
  for (const [at, item] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next !== undefined && isTied(item, next)) length += 1;
    else {
      pairs += pairCount(length);
      length = 1;
    }
  }
  return pairs;
}

/** Merge sort that counts the pairs in the wrong order. */
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
