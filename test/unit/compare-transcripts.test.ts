import { describe, expect, test } from 'vitest';
import { editScript } from '../../renderer/run/compare/metrics/edit-script.ts';
import {
  alignTranscripts,
  countCharacterErrors,
} from '../../renderer/run/compare/metrics/transcript-alignment.ts';
import {
  splitWords,
  type TranscriptNormalization,
  toTranscriptUnits,
} from '../../renderer/run/compare/metrics/transcript-units.ts';

const asWritten = { ignoreCase: false, ignorePunctuation: false, numbersAsDigits: false };
const ignoreAll = { ignoreCase: true, ignorePunctuation: true, numbersAsDigits: true };

const letters = { same: '.', substituted: 'S', deleted: 'D', inserted: 'I' } as const;

function align(reference: string, transcript: string, normalization = asWritten) {
  const texts = [splitWords(reference), splitWords(transcript)] as const;
  const { words, wordErrors } = alignTranscripts(...texts, normalization);
  return { words, wordErrors, kinds: words.map(({ kind }) => letters[kind]).join('') };
}

describe('word error rate', () => {
  // https://github.com/jitsi/jiwer/blob/master/tests/test_alignment.py
  test.each([
    ['this is a', 'this is a test', '...I'],
    ['this is a test', 'this is a', '...D'],
    ['this is a test', 'this was a test', '.S..'],
    ['this is a test of skill', 'this was a messy test', '.S.I.DD'],
    ['this test will have a high word error rate', 'no it will not', 'SS.SDDDDD'],
    ['this sentence could be split', 'this sentence will be split by ai', '..S..II'],
    ['empty', '', 'D'],
    ['', 'inserted', 'I'],
  ])('aligns “%s” and “%s” as JiWER does', (reference, transcript, kinds) => {
    expect(align(reference, transcript).kinds).toBe(kinds);
  });

  // Morris, Maier and Green 2004, table 1, and https://github.com/jitsi/jiwer/blob/master/tests/test_measures.py
  test.each([
    ['X', 'X', 0, 0],
    ['X', 'X X Y Y', 3, 6],
    ['X Y X', 'X Z', 2 / 3, 3 / 5],
    ['X', 'Y', 1, 1],
    ['X', 'Y Z', 2, 3],
    ['This is a test', 'This test', 0.5, 5 / 14],
    ['This is a test', '', 1, 1],
  ])('matches the published rates of “%s” and “%s”', (one, other, wer, cer) => {
    expect(align(one, other).wordErrors.rate).toBeCloseTo(wer, 9);
    expect(countCharacterErrors(splitWords(one), splitWords(other), asWritten).rate).toBeCloseTo(
      cer,
      9,
    );
  });

  test('returns null for a reference without words', () => {
    expect(align('', 'some words').wordErrors).toMatchObject({ inserted: 2, rate: null });
    expect(align('…', '', ignoreAll).wordErrors.rate).toBeNull();
  });
});

describe('aligned words', () => {
  test('points back to the words as written', () => {
    const { words } = align('Well, hello there!', 'hello — old friend', ignoreAll);
    expect(words).toEqual([
      { kind: 'deleted', reference: { from: 0, to: 1 }, transcript: null },
      { kind: 'same', reference: { from: 1, to: 2 }, transcript: { from: 0, to: 1 } },
      { kind: 'inserted', reference: null, transcript: { from: 2, to: 3 } },
      { kind: 'substituted', reference: { from: 2, to: 3 }, transcript: { from: 3, to: 4 } },
    ]);
  });

  test('spans several words for a single number', () => {
    const { words, kinds } = align('about twenty one well-known men', 'about 21 well known men', {
      ...ignoreAll,
      ignoreCase: false,
    });
    expect(kinds).toBe('.....');
    const number = { reference: { from: 1, to: 3 }, transcript: { from: 1, to: 2 } };
    expect(words[1]).toMatchObject(number);
    expect(words[2]?.reference).toEqual(words[3]?.reference);
  });
});

describe('normalization', () => {
  const textsOf = (text: string, options: Partial<TranscriptNormalization>) =>
    toTranscriptUnits(splitWords(text), { ...asWritten, ...options })
      .map(({ text: unit, isGlued }, index) => (isGlued || index === 0 ? unit : ` ${unit}`))
      .join('');

  test.each([
    ['“Don’t—well, well-known!” (3.5, 1,000 at 10:30.)', 'Dont well well known 3.5 1,000 at 10:30'],
    ['e.g. U.S. $5 a/b … rock ’n’ roll', 'e g U S 5 a b rock n roll'],
  ])('ignores punctuation except within a number: %s', (text, read) => {
    expect(textsOf(text, { ignorePunctuation: true })).toBe(read);
  });

  // https://github.com/openai/whisper/blob/main/tests/test_normalizer.py, where currencies are written as signs.
  test.each([
    ['two', '2'],
    ['thirty one', '31'],
    ['five twenty four', '524'],
    ['nineteen ninety nine', '1999'],
    ['twenty nineteen', '2019'],
    ['two point five million', '2500000'],
    ['200 thousand', '200000'],
    ['$20 million', '20000000 dollars'],
    ['€52.4 million', '52400000 euros'],
    ['three thousand twenty nine', '3029'],
    ['forty three thousand two hundred sixty', '43260'],
    ['forty three thousand two hundred and sixty', '43260'],
    ['thirty first', '31st'],
    ['thirty three thousand and three hundred and thirty third', '33333rd'],
    ['three billion', '3000000000'],
    ['july third twenty twenty', 'july 3rd 2020'],
    ['august twenty sixth twenty twenty one', 'august 26th 2021'],
    ['3 14', '3 14'],
    ['3.14', '3.14'],
    ['3 point 2', '3.2'],
    ['3 point 14', '3.14'],
    ['fourteen point 4', '14.4'],
    ['two point two five dollars', '2.25 dollars'],
    ['two hundred million dollars', '200000000 dollars'],
    ['$20.1 million', '20100000 dollars'],
    ['nine one one', '911'],
    ['two thousandth', '2000th'],
    ['thirty two thousandth', '32000th'],
    ['10th', '10th'],
    // Keep the text around a number, and let punctuation end a number.
    ['(Twenty-one), two, three.', '(21), 2, 3.'],
    ['1,000 and 5% of $1', '1000 and 5 percent of 1 dollar'],
    ['salt and pepper, a hundred and more', 'salt and pepper, a 100 and more'],
    ['the month with both', 'the month with both'],
  ])('writes the numbers of “%s” as %s', (words, digits) => {
    expect(textsOf(words, { numbersAsDigits: true })).toBe(digits);
  });

  test('splits scripts without spaces by letter', () => {
    const units = toTranscriptUnits(['今日は', '3時', 'です。'], ignoreAll);
    expect(units.map(({ text }) => text)).toEqual(['今', '日', 'は', '3', '時', 'で', 'す']);
    expect(units.map(({ from }) => from)).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(countCharacterErrors(['今日は'], ['今', '日', 'は'], asWritten).rate).toBe(0);
  });

  test('treats composed and decomposed letters as equal', () => {
    expect(align('café', 'cafe\u0301').kinds).toBe('.');
  });
});

test('the edit script handles empty and equal sequences', () => {
  const three = Int32Array.of(5, 6, 5);
  expect([...editScript(three, three)]).toEqual([0, 0, 0]);
  expect([...editScript(three, new Int32Array())]).toEqual([2, 2, 2]);
  expect([...editScript(new Int32Array(), three)]).toEqual([3, 3, 3]);
  expect([...editScript(new Int32Array(), new Int32Array())]).toEqual([]);
});
