/** Scores documents for the rerank models with Okapi BM25 or cosine similarity of letter pairs. */

const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * Scores each document by the words it shares with the query; 0 means none, with no upper limit.
 */
export function scoreByBm25(query: string, documents: readonly string[]): number[] {
  const texts = documents.map((document) => {
    const terms = splitStems(document);
    return { counts: countTerms(terms), length: terms.length };
  });
  const averageLength = texts.reduce((sum, { length }) => sum + length, 0) / (texts.length || 1);
  const queryTerms = [...new Set(splitStems(query))];
  return texts.map(({ counts, length }) =>
    queryTerms.reduce((score, term) => {
      const count = counts.get(term) ?? 0;
      if (count === 0) return score;
      const holders = texts.filter((text) => text.counts.has(term)).length;
      const rarity = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
      const held = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / averageLength);
      return score + (rarity * count * (SATURATION + 1)) / (count + held);
    }, 0),
  );
}

export function splitStems(text: string): string[] {
  return splitTerms(text).map(stemWord);
}

function stemWord(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && /[^s]s$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Scores each document from 0 (no shared letter pairs) to 1, ignoring word frequency. */
export function scoreByLetterPairs(query: string, documents: readonly string[]): number[] {
  const wanted = countPairs(query);
  return documents.map((document) => computeCosine(wanted, countPairs(document)));
}

/** Spaces around each word make its first and last letters part of a pair. */
export function countPairs(text: string): Map<string, number> {
  const pairs = splitTerms(text).flatMap((term) => {
    const letters = [...term, ' '];
    return letters.map((letter, index) => (letters[index - 1] ?? ' ') + letter);
  });
  return countTerms(pairs);
}

function computeCosine(first: Map<string, number>, second: Map<string, number>): number {
  let shared = 0;
  for (const [pair, count] of first) shared += count * (second.get(pair) ?? 0);
  return shared === 0 ? 0 : Math.min(1, shared / (getLength(first) * getLength(second)));
}

function getLength(counts: Map<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count ** 2;
  return Math.sqrt(sum);
}

/** Languages that don't separate words with spaces are compared by character. */
const TERM = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu;

export function splitTerms(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
  return plain.match(TERM) ?? [];
}

export function countTerms(terms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
