/** Okapi BM25: how well documents answer a query by the words they share. */
import { countTerms, splitTerms } from './terms.ts';

/** How soon repeats of a word stop counting, and how much long documents are held back. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** One score a document, 0 if no word is shared; there is no upper bound. */
export function scoreByBm25(query: string, documents: readonly string[]): number[] {
  const texts = documents.map((document) => {
    const terms = stemmedTerms(document);
    return { counts: countTerms(terms), length: terms.length };
  });
  const averageLength = texts.reduce((sum, { length }) => sum + length, 0) / (texts.length || 1);
  const queryTerms = [...new Set(stemmedTerms(query))];
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

/** Without common English endings. */
function stemmedTerms(text: string): string[] {
  return splitTerms(text).map(stem);
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && /[^s]s$/.test(word)) return word.slice(0, -1);
  return word;
}
