import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../electron/demo/language/random.ts';
import { timeSpokenText } from '../../electron/demo/media/transcript.ts';
import {
  corruptWord,
  normalizeWord,
  simulateTranscriptionErrors,
} from '../../electron/demo/media/transcription-errors.ts';
import { countWordErrors } from '../fixtures/word-errors.ts';

const TEXT =
  'The keeper counted 12 boats at the gate, wrote the number in the ledger and went to bed. Nobody asked why the water was silent that night! In the morning the town was dry, and the ledger had a line for every boat.';
const segments = timeSpokenText(TEXT, 20);
const errorsAt = (share: number, seed = 'a') =>
  simulateTranscriptionErrors(segments, share, createSeededRandom(seed));
const textOf = ({ segments: heard }: ReturnType<typeof simulateTranscriptionErrors>) =>
  heard.map(({ text }) => text).join(' ');

describe('a transcript with simulated errors', () => {
  it.each([0, 0.05, 0.1, 0.2, 0.4])('mishears exactly a share of %s of the words', (share) => {
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const heard = errorsAt(share, seed);
      const { words, substitutions, deletions, insertions } = heard.counts;
      expect(words).toBe(TEXT.split(' ').length);
      expect(substitutions + deletions + insertions).toBe(Math.round(words * share));
      expect(countWordErrors(TEXT, textOf(heard))).toBe(Math.round(words * share));
    }
  });

  it('depends only on the seed', () => {
    expect(errorsAt(0.2)).toEqual(errorsAt(0.2));
    expect(textOf(errorsAt(0.2, 'b'))).not.toBe(textOf(errorsAt(0.2)));
  });

  it.each([0.2, 1])('keeps word times in order within each segment (%s)', (share) => {
    const heard = errorsAt(share);
    let before = 0;
    for (const segment of heard.segments) {
      expect(segment.words.map(({ text }) => text).join(' ')).toBe(segment.text);
      const times = segments.map(({ start, end }) => [start, end]);
      expect(times).toContainEqual([segment.start, segment.end]);
      for (const { start, end } of segment.words) {
        expect(start).toBeGreaterThanOrEqual(Math.max(before, segment.start));
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(segment.end);
        before = end;
      }
    }
  });
});

describe('alterWord', () => {
  it.each([
    ['The', /^A$/],
    ['“gate,”', /^“date,”$/],
    ['12.5', /^22\.5$/],
    ['boats', /^b[aeiu]ats|bo[eiou]ts$/],
    ['my', /^mys$/],
    ['水', /^水s$/],
    ['—', /^—s$/],
  ])('mishears %s, with its case and punctuation', (word, expected) => {
    expect(corruptWord(word, [], createSeededRandom('draw'))).toMatch(expected);
  });

  it('never picks the word itself or a neighbor', () => {
    for (const seed of Array.from({ length: 50 }, (_, index) => index)) {
      const altered = normalizeWord(corruptWord('the', ['a', 'thi'], createSeededRandom(seed)));
      expect(['the', 'a', 'thi']).not.toContain(altered);
    }
  });
});
