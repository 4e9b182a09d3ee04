/** Joins the next piece of a streamed transcript to the text so far. */

/** Appends a piece that includes its own spaces, without doubling a space. */
export function appendText(text: string, piece: string): string {
  if (text === '') return piece.trimStart();
  return text + (text.endsWith(' ') ? piece.replace(/^ /, '') : piece);
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}。、！？，]/u;

/** Appends a complete segment, after a space if its script uses spaces. */
export function joinPieces(text: string, piece: string): string {
  const next = piece.trim();
  if (text === '' || next === '') return text + next;
  const isSpaced = !UNSPACED.test(text.slice(-1)) && !UNSPACED.test(next.slice(0, 1));
  return `${text.trimEnd()}${isSpaced && !/^[.,!?;:]/.test(next) ? ' ' : ''}${next}`;
}

/**
 * Equal short texts, such as “Yes.”, are separate sentences; a longer equal text is a repetition.
 */
const MAX_REPEATED_LETTERS = 12;

/** Adds a new segment, or replaces the text if the gateway sent all of the text so far. */
export function addTextPiece(text: string, piece: string): string {
  const before = getLetters(text);
  const added = getLetters(piece);
  const isRepeated = piece.trim() !== text.trim() || added.length > MAX_REPEATED_LETTERS;
  const isWhole = added === before ? isRepeated : added.startsWith(before);
  return before === '' || isWhole ? piece : joinPieces(text, piece);
}

/** Handles a final text that is the whole text, a shorter copy of it, or only its end. */
export function settleText(text: string, final: string): string {
  const before = getLetters(text);
  const last = getLetters(final);
  if (before === '' || last.includes(before)) return final === '' ? text : final;
  if (before.includes(last)) return text;
  if (getOverlap(last, before) < MIN_OVERLAP) return joinPieces(text, final);
  return last.length >= before.length ? final : text;
}

export function startsWithText(text: string, start: string): boolean {
  return getLetters(text).startsWith(getLetters(start));
}

function getLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

const PATTERN_LENGTH = 3;
/** A corrected text shares most letter sequences with the streamed text. */
const MIN_OVERLAP = 0.5;

function getOverlap(text: string, other: string): number {
  const known = getPatterns(other);
  const patterns = [...getPatterns(text)];
  return patterns.filter((pattern) => known.has(pattern)).length / Math.max(1, patterns.length);
}

function getPatterns(text: string): Set<string> {
  const patterns = new Set<string>();
  for (let at = 0; at + PATTERN_LENGTH <= text.length; at += 1) {
    patterns.add(text.slice(at, at + PATTERN_LENGTH));
  }
  return patterns;
}
