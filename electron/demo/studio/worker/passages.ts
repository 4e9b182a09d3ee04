/**
 * Splits text into passages that can be spoken separately. The first is short, so audio starts
 * early.
 */

const MAX_LENGTH = 240;

export function splitPassages(text: string): string[] {
  const sentences = text.match(/[^.!?…\n]+[.!?…\n]*[”"'’)\]]*\s*|[.!?…\n]+\s*/g) ?? [text];
  const passages: string[] = [];
  for (const sentence of sentences.flatMap(cutLong)) {
    const last = passages.at(-1);
    const joins = passages.length > 1 && last !== undefined;
    if (joins && last.length + sentence.length <= MAX_LENGTH) {
      passages[passages.length - 1] = last + sentence;
    } else passages.push(sentence);
  }
  const spoken = passages.filter((passage) => passage.trim() !== '');
  // No audio format can be empty, so empty text becomes a pause.
  return spoken.length === 0 ? ['.'] : spoken;
}

function cutLong(sentence: string): string[] {
  if (sentence.length <= MAX_LENGTH) return [sentence];
  return (
    sentence.match(new RegExp(`.{1,${MAX_LENGTH}}(?:\\s|$)|.{1,${MAX_LENGTH}}`, 'gsu')) ?? [
      sentence,
    ]
  );
}

const LIKE_ASCII: readonly [RegExp, string][] = [
  [/[‘’‚‛]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/[–—―]/g, ', '],
  [/…/g, '...'],
  [/ß/g, 'ss'],
  [/[æœ]/gi, 'e'],
  [/ø/gi, 'o'],
  [/ł/gi, 'l'],
];

/** Transliterates text for the English synthesizer; returns null if too little of it remains. */
export function toEnglishLetters(passage: string): string | null {
  const plain = LIKE_ASCII.reduce((text, [from, to]) => text.replace(from, to), passage)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e\n]/g, ' ')
    .trim();
  const readable = /[A-Za-z0-9]/.test(plain);
  const lost = (passage.match(/\p{L}/gu) ?? []).length - (plain.match(/[A-Za-z]/g) ?? []).length;
  return readable && lost <= plain.length ? plain : null;
}
