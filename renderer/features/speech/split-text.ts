/** Counts Unicode code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/**
 * Splits a text into parts of at most `limit` Unicode code points: at sentences, else between
 * words, else between characters. Only white space between the parts is lost.
 */
export function splitText(text: string, limit: number): string[] {
  const parts: string[] = [];
  let part = '';
  for (const piece of listPieces(text, limit)) {
    if (countCharacters((part + piece).trim()) > limit) {
      parts.push(part);
      part = '';
    }
    part += piece;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '');
}

/** Returns the sentences, those over the limit as words, and words over the limit as characters. */
function listPieces(text: string, limit: number): string[] {
  const isShort = (piece: string) => countCharacters(piece.trim()) <= limit;
  return listSegments(text, 'sentence').flatMap((sentence) =>
    isShort(sentence)
      ? [sentence]
      : (sentence.match(/\S+\s*|\s+/g) ?? []).flatMap((word) =>
          isShort(word) ? [word] : listSegments(word, 'grapheme'),
        ),
  );
}

function listSegments(text: string, granularity: 'sentence' | 'grapheme'): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity }).segment(text);
  return Array.from(segments, ({ segment }) => segment);
}
