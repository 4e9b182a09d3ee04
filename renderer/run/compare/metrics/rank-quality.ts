/**
 * How good one ranking is by relevance labels that a person gave. Everywhere: `ranking` holds the documents by their
 * index in the request, best first; null if a reply names none, which still takes a place. A document without a
 * label is not relevant, as in trec_eval (https://github.com/usnistgov/trec_eval). A document that comes a second
 * time gains nothing. A ranking may be shorter than the documents that were sent.
 */

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
