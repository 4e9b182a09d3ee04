/**
 * Splits transcripts into comparable units, and scripts without spaces by letter, as in A. Radford
 * et al., 2022, section 4.4 and appendix C (https://arxiv.org/abs/2212.04356).
 */
import { type NumberWord, readNumber } from './english-numbers.ts';

export interface TranscriptNormalization {
  ignoreCase: boolean;
  /** “don’t, well-known” becomes “dont well known”; punctuation inside numbers stays. */
  ignorePunctuation: boolean;
  /** “twenty-one” becomes “21” and “5%” becomes “5 percent” (English only). */
  numbersAsDigits: boolean;
}

export interface TranscriptUnit {
  /** Units with equal text match. */
  text: string;
  /** Word indexes; a number may span several words, and “well-known” has two units. */
  from: number;
  to: number;
  isGlued: boolean;
}

export function splitWords(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

export function toTranscriptUnits(
  words: readonly string[],
  normalization: TranscriptNormalization,
): TranscriptUnit[] {
  const { ignoreCase, ignorePunctuation, numbersAsDigits } = normalization;
  const parts = words.flatMap((word, index) =>
    splitHyphens(word.normalize('NFC').trim(), normalization).map((text) => ({
      text,
      from: index,
      to: index + 1,
    })),
  );
  const units: TranscriptUnit[] = [];
  for (const { text, from, to } of numbersAsDigits ? replaceNumbers(parts) : parts) {
    const cased = ignoreCase ? text.toLowerCase() : text;
    for (const piece of splitWords(ignorePunctuation ? dropPunctuation(cased) : cased)) {
      for (const [at, letters] of splitSpaceless(piece).entries()) {
        units.push({ text: letters, from, to, isGlued: at > 0 || isGlued(letters, units.at(-1)) });
      }
    }
  }
  return units;
}

/** Most words contain no such character and can skip the slower expressions below. */
const PLAIN = /^[A-Za-z0-9]+$/;

type Part = Pick<TranscriptUnit, 'text' | 'from' | 'to'>;

const HYPHENS = /(?<=[\p{L}\p{N}])[-‐‑](?=[\p{L}\p{N}])/u;

/** Splits “twenty-one”; other hyphens are kept unless punctuation is ignored. */
function splitHyphens(
  word: string,
  { ignorePunctuation, numbersAsDigits }: TranscriptNormalization,
): string[] {
  if (PLAIN.test(word) || !HYPHENS.test(word)) return [word];
  const parts = word.split(HYPHENS);
  if (ignorePunctuation) return parts;
  if (!numbersAsDigits) return [word];
  const read = readNumber(parts.map(toNumberWord), 0);
  return read?.length === parts.length && /[a-z]/i.test(word) ? parts : [word];
}

/** Captures a number and its surrounding punctuation. */
const AROUND = /^([^\p{L}\p{N}$€£¥]*)(.*?)([^\p{L}\p{N}%]*)$/su;

function toNumberWord(text: string): NumberWord {
  if (PLAIN.test(text)) return { text: text.toLowerCase(), isLast: false };
  const [, , core = '', after = ''] = AROUND.exec(text) ?? [];
  return { text: core.toLowerCase(), isLast: after !== '' };
}

function replaceNumbers(parts: readonly Part[]): Part[] {
  const words = parts.map(({ text }) => toNumberWord(text));
  const replaced: Part[] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at];
    if (part === undefined) break;
    const read = readNumber(words, at);
    if (read === null) {
      replaced.push(part);
      at += 1;
      continue;
    }
    const last = parts[at + read.length - 1] ?? part;
    const [, before = ''] = AROUND.exec(part.text) ?? [];
    const [, , , after = ''] = AROUND.exec(last.text) ?? [];
    for (const [index, text] of read.texts.entries()) {
      const start = index === 0 ? before : '';
      const end = index === read.texts.length - 1 ? after : '';
      replaced.push({ text: start + text + end, from: part.from, to: last.to });
    }
    at += read.length;
  }
  return replaced;
}

/** Drops apostrophes in a word and symbols at its ends; other symbols split the word. */
function dropPunctuation(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/(?<=\p{L}\p{M}*)['’ʼ](?=\p{L})/gu, '')
    .replace(/(?<!\p{N})[.,:]|[.,:](?!\p{N})|(?![.,:])[\p{P}\p{S}]/gu, ' ');
}

const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}ー]\p{M}*/u;
const SPACELESS_OR_RUN = new RegExp(`${SPACELESS.source}|(?:(?!${SPACELESS.source}).)+`, 'gsu');

/** Splits text into letters if its script has no spaces. */
export function splitSpaceless(piece: string): string[] {
  return !PLAIN.test(piece) && SPACELESS.test(piece)
    ? [...(piece.match(SPACELESS_OR_RUN) ?? [])]
    : [piece];
}

function isGlued(letters: string, before: TranscriptUnit | undefined): boolean {
  if (before === undefined || PLAIN.test(letters)) return false;
  return SPACELESS.test(letters) && SPACELESS.test(before.text);
}

export interface TranscriptToken {
  text: string;
  from: number;
  to: number;
}

export function splitTokens(text: string): TranscriptToken[] {
  const tokens: TranscriptToken[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/gu)) {
    let from = index;
    for (const piece of splitSpaceless(word)) {
      tokens.push({ text: piece, from, to: from + piece.length });
      from += piece.length;
    }
  }
  return tokens;
}
