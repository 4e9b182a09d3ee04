/**
 * Simulates transcription errors by replacing, deleting and inserting words; other times don't
 * change.
 */
import { pick, type Random } from '../language/random.ts';
import type { TimedText, TimedWord } from './transcript.ts';

export interface SlipCounts {
  words: number;
  substitutions: number;
  deletions: number;
  insertions: number;
}

type Slip = keyof Omit<SlipCounts, 'words'>;

/** Typical shares of each error type for clear speech. */
const SUBSTITUTED = 0.6;
const DELETED = 0.2;
const FILLERS = ['um', 'so', 'the', 'and', 'well', 'uh'] as const;
/** The share of the next word's time that an inserted word takes. */
const FILLER_TIME = 0.4;

/** Changes `share` of the words (the word error rate, 0 to 1) and drops segments left empty. */
export function simulateTranscriptionErrors(
  segments: readonly TimedText[],
  share: number,
  random: Random,
): { segments: TimedText[]; counts: SlipCounts } {
  const words = segments.flatMap((segment) => segment.words);
  const slips = planSlips(words.length, Math.round(words.length * share), random);
  const counts: SlipCounts = { words: words.length, substitutions: 0, deletions: 0, insertions: 0 };
  for (const slip of slips.values()) counts[slip] += 1;
  let index = 0;
  const heard = segments.flatMap((segment) => {
    const kept = segment.words.flatMap((word) => {
      const slip = slips.get(index);
      const around = [words[index - 1], words[index + 1]].map((next) => next?.text ?? '');
      index += 1;
      return slip === undefined ? [word] : withSlip(word, slip, around, random);
    });
    if (kept.length === 0) return [];
    return [{ ...segment, text: kept.map(({ text }) => text).join(' '), words: kept }];
  });
  return { segments: heard, counts };
}

function planSlips(wordCount: number, count: number, random: Random): Map<number, Slip> {
  const places = Array.from({ length: wordCount }, (_, index) => index);
  const slips = new Map<number, Slip>();
  for (let drawn = 0; drawn < count; drawn += 1) {
    const other = drawn + Math.floor(random() * (wordCount - drawn));
    const place = places[other] ?? 0;
    places[other] = places[drawn] ?? 0;
    slips.set(place, drawSlip(random()));
  }
  for (const [place, slip] of slips) {
    // A deletion right before an insertion would count as one substitution, not two errors.
    if (slip === 'insertions' && slips.get(place - 1) === 'deletions') {
      slips.set(place - 1, 'substitutions');
    }
  }
  return slips;
}

function drawSlip(draw: number): Slip {
  if (draw < SUBSTITUTED) return 'substitutions';
  return draw < SUBSTITUTED + DELETED ? 'deletions' : 'insertions';
}

function withSlip(word: TimedWord, slip: Slip, around: string[], random: Random): TimedWord[] {
  switch (slip) {
    case 'deletions':
      return [];
    case 'substitutions':
      return [{ ...word, text: corruptWord(word.text, around, random) }];
    case 'insertions': {
      const taken = [word.text, ...around].map(normalizeWord);
      const [first = FILLERS[0], ...others] = FILLERS.filter((filler) => !taken.includes(filler));
      const middle = word.start + (word.end - word.start) * FILLER_TIME;
      const at = Math.round(middle * 1000) / 1000;
      return [
        { text: pick([first, ...others], random), start: word.start, end: at },
        { ...word, start: at },
      ];
    }
  }
}

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

export function normalizeWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** Returns a word that isn't in `around`, with the original's punctuation and initial case. */
export function corruptWord(word: string, around: readonly string[], random: Random): string {
  const [, before = '', core = '', after = ''] =
    /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{M}\p{N}]*)$/su.exec(word) ?? [];
  const taken = [word, ...around].map(normalizeWord);
  const found = [findAlikeWord(core), ...alterLetters(core, random), `${core}s`, `un${core}`].find(
    (candidate) => candidate !== undefined && !taken.includes(normalizeWord(candidate)),
  );
  return `${before}${found ?? `${core}ish`}${after}`;
}

function findAlikeWord(core: string): string | undefined {
  const lower = core.toLowerCase();
  const pair = ALIKE.find(([first, second]) => first === lower || second === lower);
  if (pair === undefined) return undefined;
  const other = pair[0] === lower ? pair[1] : pair[0];
  return lower === core ? other : other.charAt(0).toUpperCase() + other.slice(1);
}

/** Tries changing a digit, then changing a vowel, then dropping a letter. */
function alterLetters(core: string, random: Random): string[] {
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
