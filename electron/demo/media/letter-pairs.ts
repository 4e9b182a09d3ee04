/**
 * How alike a query and documents are spelled: the cosine of their counts of letter pairs. Finds parts and forms of
 * words, and does not know which words are rare.
 */
import { countTerms, splitTerms } from './terms.ts';

/** One score a document, from 0, where no pair is shared, to 1. */
export function scoreByLetterPairs(query: string, documents: readonly string[]): number[] {
  const wanted = countPairs(query);
  return documents.map((document) => cosine(wanted, countPairs(document)));
}

/** A space on both sides of each word, so that its first and last letters have their own pair. */
function countPairs(text: string): Map<string, number> {
  const pairs = splitTerms(text).flatMap((term) => {
    const letters = [...term, ' '];
    return letters.map((letter, index) => (letters[index - 1] ?? ' ') + letter);
  });
  return countTerms(pairs);
}

function cosine(first: Map<string, number>, second: Map<string, number>): number {
  let shared = 0;
  for (const [pair, count] of first) shared += count * (second.get(pair) ?? 0);
  return shared === 0 ? 0 : Math.min(1, shared / (getLength(first) * getLength(second)));
}

function getLength(counts: Map<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count ** 2;
  return Math.sqrt(sum);
}
