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

/** 0 not relevant, 1 related, 2 relevant, 3 exactly it. */
const relevanceLabels = [0, 1, 2, 3] as const;
export type RelevanceLabel = (typeof relevanceLabels)[number];

/** As it is typed, or stands in a file; undefined for any other text. */
export function readRelevanceLabel(text: string): RelevanceLabel | undefined {
  return relevanceLabels.find((label) => String(label) === text);
}

export type RelevanceLabels = ReadonlyMap<number, RelevanceLabel>;
type DocumentRanking = readonly (number | null)[];

/** What a label is worth: `exponential` 2^label - 1, `linear` the label itself. */
export type RelevanceGain = 'exponential' | 'linear';

/** Labels from here on count as relevant where a measure knows only yes and no. */
const MIN_RELEVANT = 1;

/**
 * Discounted cumulative gain of the first `k`: Σ gain / log2(rank + 1). K. Järvelin and J. Kekäläinen, “Cumulated
 * gain-based evaluation of IR techniques”, ACM TOIS 20(4), 2002 (https://doi.org/10.1145/582415.582418), with gain and
 * discount of C. Burges et al., “Learning to rank using gradient descent”, ICML 2005
 * (https://doi.org/10.1145/1102351.1102363); trec_eval and scikit-learn take the linear gain.
 */
export function dcgAt(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  k: number,
  gain: RelevanceGain = 'exponential',
): number {
  return discountedSum(labelsInOrder(ranking, labels).slice(0, k), gain);
}

/** DCG by that of the best order of all labelled documents, 0 to 1; null if no label is above 0. */
export function ndcgAt(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  k: number,
  gain: RelevanceGain = 'exponential',
): number | null {
  const ideal = [...labels.values()].sort((one, other) => other - one).slice(0, k);
  const best = discountedSum(ideal, gain);
  return best === 0 ? null : dcgAt(ranking, labels, k, gain) / best;
}

/** 1 by the rank of the first relevant document; 0 if none is ranked, null if none is labelled relevant. */
export function reciprocalRank(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  leastRelevant: RelevanceLabel = MIN_RELEVANT,
): number | null {
  if (relevantCount([...labels.values()], leastRelevant) === 0) return null;
  const at = labelsInOrder(ranking, labels).findIndex((label) => label >= leastRelevant);
  return at < 0 ? 0 : 1 / (at + 1);
}

/**
 * MRR: the mean of the reciprocal ranks of several queries, without those that have no relevant document. E. M.
 * Voorhees, “The TREC-8 question answering track report”, TREC 1999 (https://trec.nist.gov/pubs/trec8/papers/qa_report.pdf).
 * Null if none is left.
 */
export function meanReciprocalRank(reciprocalRanks: readonly (number | null)[]): number | null {
  const known = reciprocalRanks.filter((rank) => rank !== null);
  return known.length === 0 ? null : known.reduce((sum, rank) => sum + rank, 0) / known.length;
}

/**
 * Relevant documents among the first `k`, by `k`, also where fewer are ranked (as trec_eval does). C. D. Manning,
 * P. Raghavan and H. Schütze, “Introduction to Information Retrieval”, 2008, sections 8.3 and 8.4
 * (https://nlp.stanford.edu/IR-book/). Null if no document is labelled.
 */
export function precisionAt(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  k: number,
  leastRelevant: RelevanceLabel = MIN_RELEVANT,
): number | null {
  if (labels.size === 0 || k <= 0) return null;
  return relevantCount(labelsInOrder(ranking, labels).slice(0, k), leastRelevant) / k;
}

/** Relevant documents among the first `k`, by all that are labelled relevant; null if none is. */
export function recallAt(
  ranking: DocumentRanking,
  labels: RelevanceLabels,
  k: number,
  leastRelevant: RelevanceLabel = MIN_RELEVANT,
): number | null {
  const all = relevantCount([...labels.values()], leastRelevant);
  if (all === 0) return null;
  return relevantCount(labelsInOrder(ranking, labels).slice(0, k), leastRelevant) / all;
}

function labelsInOrder(ranking: DocumentRanking, labels: RelevanceLabels): RelevanceLabel[] {
  const seen = new Set<number>();
  return ranking.map((index) => {
    if (index === null || seen.has(index)) return 0;
    seen.add(index);
    return labels.get(index) ?? 0;
  });
}

function discountedSum(labels: readonly RelevanceLabel[], gain: RelevanceGain): number {
  return labels.reduce<number>((sum, label, at) => {
    const worth = gain === 'linear' ? label : 2 ** label - 1;
    return sum + worth / Math.log2(at + 2);
  }, 0);
}

function relevantCount(labels: readonly RelevanceLabel[], leastRelevant: RelevanceLabel): number {
  return labels.filter((label) => label >= leastRelevant).length;
}
