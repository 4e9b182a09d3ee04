/** A word as it might be misheard. */
import type { Random } from '../language/random.ts';

/** Words that sound alike, in both directions. */
const ALIKE: readonly (readonly [string, string])[] = [
  ['the', 'a'],
  ['of', 'off'],
  ['to', 'two'],
  ['is', 'was'],
  ['in', 'on'],
  ['and', 'end'],
  ['it', 'that'],
  ['no', 'know'],
  ['here', 'hear'],
  ['there', 'their'],
  ['write', 'right'],
  ['would', 'wood'],
  ['word', 'world'],
  ['words', 'worlds'],
  ['real', 'reel'],
  ['every', 'ever'],
  ['model', 'modal'],
  ['spoken', 'broken'],
  ['listened', 'listed'],
  ['house', 'mouse'],
  ['gate', 'date'],
  ['step', 'stop'],
  ['open', 'often'],
  ['light', 'night'],
  ['rain', 'train'],
  ['who', 'how'],
  ['one', 'won'],
  ['with', 'which'],
  ['this', 'these'],
];
const VOWELS = 'aeiou';

/** Case and punctuation aside. */
export function bareWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** Another word than `word` and those `around` it, with the same punctuation; the first letter keeps its case. */
export function corruptWord(word: string, around: readonly string[], random: Random): string {
  const [, before = '', core = '', after = ''] =
    /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{M}\p{N}]*)$/su.exec(word) ?? [];
  const taken = [word, ...around].map(bareWord);
  const found = [alikeWord(core), ...alteredLetters(core, random), `${core}s`, `un${core}`].find(
    (candidate) => candidate !== undefined && !taken.includes(bareWord(candidate)),
  );
  return `${before}${found ?? `${core}ish`}${after}`;
}

function alikeWord(core: string): string | undefined {
  const lower = core.toLowerCase();
  const pair = ALIKE.find(([first, second]) => first === lower || second === lower);
  if (pair === undefined) return undefined;
  const other = pair[0] === lower ? pair[1] : pair[0];
  return lower === core ? other : other.charAt(0).toUpperCase() + other.slice(1);
}

/** Another digit, another vowel, and one letter fewer, in this order. */
function alteredLetters(core: string, random: Random): string[] {
  const digit = core.search(/[0-9]/);
  if (digit >= 0) return [replaceAt(core, digit, String((Number(core[digit]) + 1) % 10))];
  const letters = [...core];
  const vowels = letters.flatMap((letter, index) => (VOWELS.includes(letter) ? [index] : []));
  const place = vowels[Math.floor(random() * vowels.length)];
  const shorter = letters.slice(0, -1).join('');
  if (place === undefined) return letters.length > 2 ? [shorter] : [];
  const step = 1 + Math.floor(random() * (VOWELS.length - 1));
  const vowel = VOWELS[(VOWELS.indexOf(letters[place] ?? '') + step) % VOWELS.length] ?? '';
  const altered = letters.with(place, vowel).join('');
  return letters.length > 3 ? [altered, shorter] : [altered];
}

function replaceAt(text: string, index: number, letter: string): string {
  return text.slice(0, index) + letter + text.slice(index + 1);
}
