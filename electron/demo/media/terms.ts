/** The words of a text as the rerank models compare them. */

/** Languages that write without spaces are compared by single characters. */
const TERM = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu;

/** In lower case, without accents. */
export function splitTerms(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
  return plain.match(TERM) ?? [];
}

/** How often each one occurs. */
export function countTerms(terms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
