import { describe, expect, it } from 'vitest';
import { countTokens, splitTokens } from '../../electron/demo/language/answer.ts';
import { findHints, readLimits } from '../../electron/demo/language/plan-choice.ts';
import {
  writeLongStory,
  writeSlowStory,
  writeStory,
} from '../../electron/demo/language/stories.ts';
import { scoreByBm25, scoreByLetterPairs } from '../../electron/demo/media/rerank-scores.ts';

describe('splitTokens', () => {
  it.each([
    ['words and marks', 'A gate, kept!', ['A', ' gate', ',', ' kept', '!']],
    ['digits by three', '12345', ['123', '45']],
    ['lines and indents', 'a\n\n    b', ['a', '\n\n', '    ', 'b']],
    ['letters of any script', 'über 水', ['über', ' 水']],
  ])('splits %s', (_name, text, tokens) => {
    expect(splitTokens(text)).toEqual(tokens);
  });

  it('loses nothing and never splits surrogate pairs', () => {
    const text = `${writeLongStory(null)} 👩‍🚀\t\r\n\u0000 end`;
    const tokens = splitTokens(text);
    expect(tokens.join('')).toBe(text);
    expect(tokens.every((token) => token.isWellFormed())).toBe(true);
    expect(countTokens(text)).toBe(tokens.length);
  });
});

describe('stories', () => {
  it('tells the same story in demo-story-slow, with a longer middle', () => {
    const [start, end] = writeStory(null).split('## What the river taught');
    const longer = writeSlowStory(null);
    expect(longer.startsWith(start ?? '')).toBe(true);
    expect(longer.endsWith((end ?? '').replace('`demo-story`', '`demo-story-slow`'))).toBe(true);
    expect(longer).not.toContain('{person}');
    expect(countTokens(longer)).toBeGreaterThan(1.5 * countTokens(writeStory(null)));
  });
});

describe('readLimits', () => {
  it.each([
    [{}, [], Infinity],
    [{ stop: 'x', max_tokens: 5 }, ['x'], 5],
    [{ stop: ['', 'y'], max_tokens: 9, max_completion_tokens: 4 }, ['y'], 4],
    [{ max_tokens: -1 }, [], Infinity],
    [{ max_tokens: 0 }, [], 0],
  ])('reads %j', (request, stop, maxTokens) => {
    expect(readLimits(request)).toEqual({ stop, maxTokens });
  });
});

describe('findHints', () => {
  it.each([
    ['Look up "blue whale" in Oslo, 2.5 km', ['blue whale'], [2.5]],
    ['What is it like in New York on day 3?', ['New York'], [3]],
  ])('prefers quoted texts to names, and also finds numbers: %s', (text, words, numbers) => {
    expect(findHints(text)).toEqual({ words, numbers });
  });
});

describe('scoreByBm25', () => {
  it('computes BM25 with saturating repeats and length normalization', () => {
    const [once, twice, long, none] = scoreByBm25('gate', [
      'gate kept well',
      'gate gate kept',
      'gate kept well through many long and stormy nights of autumn',
      'bread',
    ]);
    // By hand: N 4, n 3, idf ln(1 + 1.5/3.5), lengths 3, 3, 11 and 1, average 4.5.
    const idf = Math.log(1 + 1.5 / 3.5);
    expect(once).toBeCloseTo((idf * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 3) / 4.5)), 10);
    expect(twice).toBeCloseTo((idf * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / 4.5)), 10);
    expect(long).toBeLessThan(once ?? 0);
    expect(none).toBe(0);
  });

  it('matches words across case, accents, plurals and scripts without spaces', () => {
    const scores = scoreByBm25('Cafés 水', ['a cafe', '洪水', 'tea']);
    expect(scores.map((score) => score > 0)).toEqual([true, true, false]);
  });
});

describe('scoreByLetterPairs', () => {
  it('computes the cosine of letter-pair counts', () => {
    // By hand: “ab” is ␣a ab b␣, and “abab” is ␣a ab ba ab b␣.
    const [same, repeated, none] = scoreByLetterPairs('ab', ['ab', 'ABAB!', 'cd']);
    expect(same).toBeCloseTo(1, 10);
    expect(repeated).toBeCloseTo((1 + 2 + 1) / Math.sqrt(3 * 7), 10);
    expect(none).toBe(0);
  });
});
