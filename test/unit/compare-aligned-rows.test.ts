import { describe, expect, test } from 'vitest';
import { alignInRows } from '../../renderer/run/compare/metrics/aligned-rows.ts';
import { createTokenTimes } from '../../renderer/run/compare/metrics/transcript-alignment.ts';
import { splitTokens } from '../../renderer/run/compare/metrics/transcript-units.ts';

const ignoreAll = { ignoreCase: true, ignorePunctuation: true, numbersAsDigits: true };

const timed = (text: string, startSeconds: number, endSeconds: number) => ({
  text,
  startSeconds,
  endSeconds,
});

const plain = (text: string) => ({ text, words: null, segments: null, durationSeconds: null });

function align(base: string, ...texts: string[]) {
  return alignInRows(base, texts.map(plain), ignoreAll);
}

/** Formats differences as `their>there`, `-the` and `+um`, with a space between separate words. */
function read(base: string, text: string): string {
  const { rows } = align(base, text);
  return rows
    .map(({ cells }) =>
      (cells[0] ?? [])
        .map((part) => {
          const gap = part.isApart ? ' ' : '';
          switch (part.kind) {
            case 'same':
              return gap + part.text;
            case 'substituted':
              return `${gap}[${part.expected}>${part.text}]`;
            case 'deleted':
              return `${gap}[-${part.expected}]`;
            case 'inserted':
              return `${gap}[+${part.text}]`;
            default:
              return '';
          }
        })
        .join('')
        .trim(),
    )
    .join('|');
}

describe('transcripts next to a text', () => {
  test.each([
    ['the ship sails', 'The ship, sails!', 'The ship, sails!'],
    ['They lost their hat.', 'They lost there hat.', 'They lost [their>there] hat.'],
    ['the cat sat', 'um the sat', '[+um] the [-cat] sat'],
    ['a well-known man', 'a well-known man', 'a well-known man'],
    ['a well-known man', 'a well known man', 'a well known man'],
    ['a well-known man', 'a well man', 'a [well-known>well] man'],
    ['it was 21 miles', 'it was twenty one miles', 'it was twenty one miles'],
    ['it was 21 miles', 'it was twenty two miles', 'it was [21>twenty two] miles'],
    ['', 'heard something', '[+heard] [+something]'],
    ['said something', '', '[-said] [-something]'],
  ])('marks the differences of “%s” and “%s”', (base, text, expected) => {
    expect(read(base, text)).toBe(expected);
  });

  test('compares scripts without spaces by letter', () => {
    expect(read('今日は良い天気', '今日は悪い天気')).toBe('今日は[良>悪]い天気');
  });

  test('splits rows between sentences', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog while nobody looks at it at all.';
    const base = Array.from({ length: 6 }, () => sentence).join(' ');
    const { rows } = align(base, base.replace('quick', 'slow'));
    expect(rows.map(({ base: text }) => text)).toEqual(
      Array.from({ length: 3 }, () => `${sentence} ${sentence}`),
    );
    expect(rows.map(({ cells }) => cells[0]?.length)).toEqual([3, 1, 1]);
  });
});

describe('a differing word', () => {
  const words = [timed('The', 0, 0.4), timed('sheep', 0.4, 1), timed('sails', 1.2, 1.8)];
  const none = { words: null, segments: null, durationSeconds: null };
  const stretch = (startSeconds: number, endSeconds: number, source: string) => ({
    startSeconds,
    endSeconds,
    source,
  });
  const differences = (base: string, transcript: Parameters<typeof alignInRows>[1][number]) =>
    alignInRows(base, [transcript], ignoreAll)
      .rows.flatMap(({ cells }) => cells.flat())
      .flatMap((part) => (part.kind === 'same' ? [] : [part.stretch]));

  test('plays at the time of its word, or of its neighbors if the word is missing', () => {
    const heard = { ...none, text: 'The sheep, sails.', words };
    expect(differences('the ship sails', heard)).toEqual([stretch(0.4, 1, 'word')]);
    const missing = { ...none, text: 'The sails', words };
    expect(differences('the ship sails', missing)).toEqual([stretch(0, 1.8, 'word')]);
  });

  test('plays its segment if words have no times', () => {
    const segments = [timed('The sheep sails.', 0, 2), timed('It is late now.', 2, 5)];
    const transcript = { ...none, text: 'The sheep sails. It is late now.', words: [], segments };
    const found = differences('the ship sails it is late', transcript);
    expect(found).toEqual([stretch(0, 2, 'segment'), stretch(2, 5, 'segment')]);
  });

  test('plays at its position in the text if nothing has times', () => {
    const transcript = { ...none, text: 'aaaa bbbb', durationSeconds: 9 };
    expect(differences('aaaa cccc', transcript)).toEqual([stretch(5, 9, 'position')]);
    expect(differences('aaaa cccc', { ...transcript, durationSeconds: null })).toEqual([null]);
  });

  test('plays between its neighbors if only they have times', () => {
    const text = 'one two three';
    const transcript = { ...none, text, words: [timed('one', 0, 1), timed('three', 2, 3)] };
    const stretches = [0, 1, 2].map(createTokenTimes(splitTokens(text), transcript));
    expect(stretches).toEqual([0, 1, 2].map((at) => stretch(at, at + 1, 'word')));
  });
});
