import { describe, expect, it } from 'vitest';
import { mapProblem, mapText, readMapRows } from '../../renderer/run/form/typed-value.ts';

describe('the rows of a map', () => {
  it.each([
    ['nothing', '', []],
    ['an empty object', ' { } ', []],
    [
      'numbers, as they are written',
      '{"50256": -100, "1.0": 1.50}',
      [
        { key: '50256', value: '-100' },
        { key: '1.0', value: '1.50' },
      ],
    ],
    ['half a row', '{\n  "50256": \n}', [{ key: '50256', value: '' }]],
    ['a key with marks', '{"a\\"b": 1}', [{ key: 'a"b', value: '1' }]],
    [
      'a key listed twice',
      '{"1":1,"1":2}',
      [
        { key: '1', value: '1' },
        { key: '1', value: '2' },
      ],
    ],
  ])('are read from %s', (_name, text, rows) => {
    expect(readMapRows(text)).toEqual(rows);
  });

  it.each([
    ['a list', '[1]'],
    ['something nested', '{"1": {"a": 1}}'],
    ['a number in quotes', '{"1": "5"}'],
    ['a comma too many', '{"1": 1,}'],
    ['a key without marks', '{1: 1}'],
    ['an open end', '{"1": 1'],
  ])('are none in %s', (_name, text) => {
    expect(readMapRows(text)).toBeNull();
  });

  it('become text that reads back as they are, half rows too', () => {
    for (const rows of [
      [
        { key: '1', value: '-5' },
        { key: '', value: '3' },
      ],
      [{ key: 'a"', value: '' }],
      [{ key: '1', value: '1,5' }],
      [{ key: '1', value: '5,"2":1}' }],
      [],
    ]) {
      expect(readMapRows(mapText(rows))).toEqual(rows);
    }
    expect(mapText([{ key: '1', value: ' 5 ' }])).toBe('{\n  "1": 5\n}');
  });

  it.each([
    [[{ key: '1', value: '-1e2' }], null],
    [[{ key: '1', value: '1,5' }], 'Enter a number for every token.'],
    [[{ key: '1', value: '-' }], 'Enter a number for every token.'],
    [[{ key: ' ', value: '1' }], 'Enter a token ID in every row.'],
    [
      [
        { key: '1', value: '1' },
        { key: '1', value: '2' },
      ],
      '“1” is listed twice.',
    ],
  ])('%j: %s', (rows, problem) => {
    expect(mapProblem(rows)).toBe(problem);
  });
});
