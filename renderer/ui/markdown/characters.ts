/**
 * Character classes for emphasis and bare links, as defined by the CJK-friendly amendment to
 * CommonMark.
 */

/** Blocks of wide characters; see https://github.com/tats-u/markdown-cjk-friendly. */
const CJK =
  '\\u1100-\\u11ff\\u20a9\\u2329\\u232a\\u2e80-\\u303e\\u3040-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff' +
  '\\uf900-\\ufaff\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff01-\\uffef\\u{16fe0}-\\u{18dff}' +
  '\\u{1aff0}-\\u{1b2ff}\\u{1d300}-\\u{1d37f}\\u{1f200}-\\u{1f2ff}\\u{20000}-\\u{3fffd}';

const CJK_CHARACTER = new RegExp(`^(?!\\p{Emoji_Presentation})[${CJK}]`, 'u');
const PUNCTUATION = /^[\p{P}\p{S}]/u;
const SPACE = /^\s/;

/** Wide punctuation, and the quotation marks and dashes that Chinese and Japanese share with Latin. */
const AFTER_LINK = new RegExp(`(?=[${CJK}])[\\p{P}\\p{S}]|[“”‘’…—]`, 'u');

/** Matches the first character that ends a bare link in running CJK text. */
export function findLinkEnd(url: string): number {
  return url.search(AFTER_LINK);
}

export type CharacterClass = { isSpace: boolean; isPunctuation: boolean; isCjk: boolean };

const EDGE: CharacterClass = { isSpace: true, isPunctuation: false, isCjk: false };

/** Classifies the character that starts at `index`; the end of the text counts as a space. */
export function classifyAfter(text: string, index: number): CharacterClass {
  const code = text.codePointAt(index);
  return code === undefined ? EDGE : classify(code);
}

/** Classifies the character that ends before `index`, including its variation selector. */
export function classifyBefore(text: string, index: number): CharacterClass {
  const start = getStart(text, index);
  const code = text.codePointAt(start);
  if (index === 0 || code === undefined) return EDGE;
  // An ideographic variation selector only follows a CJK character.
  if (code >= 0xe0100 && code <= 0xe01ef) {
    return { isSpace: false, isPunctuation: false, isCjk: true };
  }
  if (code < 0xfe00 || code > 0xfe0e || start === 0) return classify(code);
  const base = text.codePointAt(getStart(text, start)) ?? code;
  const found = classify(base);
  // A quotation mark with this selector has its fullwidth form.
  return code === 0xfe01 && /^[“”‘’]$/.test(String.fromCodePoint(base))
    ? { ...found, isCjk: true }
    : found;
}

function getStart(text: string, end: number): number {
  const isPair = end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
  return end - (isPair ? 2 : 1);
}

const LETTER: CharacterClass = { isSpace: false, isPunctuation: false, isCjk: false };

function classify(code: number): CharacterClass {
  if (isAsciiLetter(code)) return LETTER;
  const character = String.fromCodePoint(code);
  return {
    isSpace: SPACE.test(character),
    isPunctuation: PUNCTUATION.test(character),
    isCjk: CJK_CHARACTER.test(character),
  };
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a && code < 0x80;
}
