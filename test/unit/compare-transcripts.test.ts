import { describe, expect, test } from 'vitest';
import { editKinds, editScript } from '../../renderer/run/compare/metrics/edit-script.ts';
import {
  alignTranscripts,
  characterErrors,
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
    expect(characterErrors(splitWords(one), splitWords(other), asWritten).rate).toBeCloseTo(cer, 9);
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
    expect(characterErrors(['今日は'], ['今', '日', 'は'], asWritten).rate).toBe(0);
  });

  test('treats composed and decomposed letters as equal', () => {
    expect(align('café', 'cafe\u0301').kinds).toBe('.');
  });
});

describe('the edit script', () => {
  let seed = 11;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const sequence = (length: number, symbols: number) =>
    Int32Array.from({ length }, () => next(symbols));
  /** Edits about one of every `every` symbols. */
  const edited = (symbols: Int32Array, every: number, count: number) =>
    Int32Array.from(
      [...symbols].flatMap((symbol) => {
        if (next(every) > 0) return [symbol];
        return [[], [next(count)], [symbol, next(count)]][next(3)] ?? [];
      }),
    );

  test('finds one of the shortest scripts that turn one sequence into the other', () => {
    for (let round = 0; round < 300; round += 1) {
      const one = sequence(next(130), 1 + next(6));
      const other = next(2) === 0 ? sequence(next(130), 1 + next(6)) : edited(one, 4, 6);
      expect(costOf(one, other)).toBe(distanceByTable(one, other));
    }
  });

  test('finds a shortest script in a narrow band and in a divided table', () => {
    for (let round = 0; round < 20; round += 1) {
      const one = sequence(600 + next(600), 2 + next(40));
      const other = edited(one, 2 + next(30), 40);
      expect(costOf(one, other, 300)).toBe(distanceByTable(one, other));
    }
  });

  test('handles empty and equal sequences', () => {
    const three = Int32Array.of(5, 6, 5);
    expect([...editScript(three, three)]).toEqual([0, 0, 0]);
    expect([...editScript(three, new Int32Array())]).toEqual([2, 2, 2]);
    expect([...editScript(new Int32Array(), three)]).toEqual([3, 3, 3]);
    expect([...editScript(new Int32Array(), new Int32Array())]).toEqual([]);
  });

  /** Checks that the script is valid, and counts its edits. */
  function costOf(one: Int32Array, other: Int32Array, maxTableBlocks?: number): number {
    let [row, column, cost] = [0, 0, 0];
    for (const step of editScript(one, other, maxTableBlocks)) {
      if (step === editKinds.same && one[row] !== other[column]) throw new Error('Not the same');
      if (step !== editKinds.inserted) row += 1;
      if (step !== editKinds.deleted) column += 1;
      if (step !== editKinds.same) cost += 1;
    }
    expect([row, column]).toEqual([one.length, other.length]);
    return cost;
  }

  function distanceByTable(one: Int32Array, other: Int32Array): number {
    let above = Array.from({ length: other.length + 1 }, (_, column) => column);
    for (const [row, symbol] of one.entries()) {
      const line = [row + 1];
      for (const [column, against] of other.entries()) {
        const diagonal = (above[column] ?? 0) + (symbol === against ? 0 : 1);
        line.push(Math.min((above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1, diagonal));
      }
      above = line;
    }
    return above[other.length] ?? 0;
  }
});
