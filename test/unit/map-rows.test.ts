import { describe, expect, it } from 'vitest';
import { mapProblem, mapText, readMapRows } from '../../renderer/run/form/typed-value.ts';

describe('the rows of a map', () => {
  it.each([
    ['nothing', '', ''],
    ['an empty object', ' { } ', ''],
    ['numbers as written', '{"50256": -100, "1.0": 1.50}', '50256=-100 1.0=1.50'],
    ['half a row', '{\n  "50256": \n}', '50256='],
    ['an escaped key', '{"a\\"b": 1}', 'a"b=1'],
    ['a key listed twice', '{"1":1,"1":2}', '1=1 1=2'],
  ])('reads %s', (_name, text, rows) => {
    const read = readMapRows(text)?.map(({ key, value }) => `${key}=${value}`);
    expect(read?.join(' ')).toBe(rows);
  });

  it.each([
    ['a list', '[1]'],
    ['something nested', '{"1": {"a": 1}}'],
    ['a number in quotes', '{"1": "5"}'],
    ['a comma too many', '{"1": 1,}'],
    ['a key without marks', '{1: 1}'],
    ['an open end', '{"1": 1'],
  ])('returns null for %s', (_name, text) => {
    expect(readMapRows(text)).toBeNull();
  });

  it('writes indented text', () => {
    expect(mapText([{ key: '1', value: ' 5 ' }])).toBe('{\n  "1": 5\n}');
  });

  it.each([
    ['-1e2', null],
    ['1,5', 'Enter a number for every token.'],
    ['-', 'Enter a number for every token.'],
  ])('checks the value %s: %s', (value, problem) => {
    expect(mapProblem([{ key: '1', value }])).toBe(problem);
  });

  it.each([
    [[' '], 'Enter a token ID in every row.'],
    [['1', '1'], '“1” is listed twice.'],
  ])('checks the keys %j: %s', (keys, problem) => {
    const rows = keys.map((key) => ({ key, value: '1' }));
    expect(mapProblem(rows)).toBe(problem);
  });
});
