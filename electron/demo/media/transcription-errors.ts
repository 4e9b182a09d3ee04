/** Simulated errors of transcription: words of a transcript substituted, deleted and inserted, in their time. */
import { pick, type Random } from '../language/random.ts';
import { bareWord, corruptWord } from './alter-word.ts';
import type { TimedText, TimedWord } from './transcript.ts';

export interface SlipCounts {
  /** Before the errors. */
  words: number;
  substitutions: number;
  deletions: number;
  insertions: number;
}

type Slip = keyof Omit<SlipCounts, 'words'>;

/** As common as in transcripts of clear speech. */
const SUBSTITUTED = 0.6;
const DELETED = 0.2;
const FILLERS = ['um', 'so', 'the', 'and', 'well', 'uh'] as const;
/** What an inserted word takes of the time of the word it comes before. */
const FILLER_TIME = 0.4;

/**
 * `share` of the words, 0 to 1, is wrong: that is the word error rate against the text without errors. Segments keep
 * their times; one that loses every word is left out.
 */
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

/** Which word suffers what; `count` of them, drawn without putting back. */
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
    // A word deleted just before one that was inserted counts as one substitution, not as two errors.
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
      const taken = [word.text, ...around].map(bareWord);
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
