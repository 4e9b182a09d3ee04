import { describe, expect, it } from 'vitest';
import { splitPassages, toEnglishLetters } from '../../electron/demo/studio/worker/passages.ts';

describe('splitPassages', () => {
  it.each([
    ['sentences', 'A gate stands by the river. '.repeat(140)],
    ['one endless sentence', 'gate and river and '.repeat(215)],
    ['one endless word', 'x'.repeat(4096)],
    ['lines', 'Zeile für Zeile\n'.repeat(250)],
  ])('loses no character of %s and keeps passages short', (_name, text) => {
    const passages = splitPassages(text);
    expect(passages.join('')).toBe(text);
    expect(Math.max(...passages.map(({ length }) => length))).toBeLessThanOrEqual(240);
  });

  it.each(['', '   ', '\n'])('returns a passage even for %j', (text) => {
    expect(splitPassages(text)).toEqual(['.']);
  });
});

it.each([
  ['Über naïve cafés', 'Uber naive cafes'],
  ['“It’s – so…”', '"It\'s , so..."'],
  ['Tokyo 東', 'Tokyo'],
  ['東京の夜は静かだ。', undefined],
  ['Где мы?', undefined],
  ['🎉', undefined],
  ['...', undefined],
])('spells %s in English letters', (passage, letters) => {
  expect(toEnglishLetters(passage)?.replace(/\s+/g, ' ')).toBe(letters);
});
