import { expect, test } from 'vitest';
import { csvLine, readCsv } from '../../renderer/features/rerank/csv.ts';

test.each<[name: string, text: string, rows: string[][]]>([
  [
    'plain lines',
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'CRLF, CR and a byte order mark',
    '\uFEFFa,b\r\nc,d\re,f',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ],
  ],
  [
    'quotes that hold separators, quotes and line breaks',
    '"a,1","say ""hi""","x\r\ny"\n',
    [['a,1', 'say "hi"', 'x\r\ny']],
  ],
  [
    'semicolons, as European spreadsheets write',
    'id;text\n1;"a;b, c"',
    [
      ['id', 'text'],
      ['1', 'a;b, c'],
    ],
  ],
  [
    'tabs',
    'a\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'empty fields',
    'a,,c\n,,\n',
    [
      ['a', '', 'c'],
      ['', '', ''],
    ],
  ],
  ['empty lines left out', 'a\n\n\nb\n', [['a'], ['b']]],
  ['a quote in the middle of a field', 'say "hi",b', [['say "hi"', 'b']]],
  ['a quote that never ends', 'a,"b\nc', [['a', 'b\nc']]],
  ['a quoted empty field at the end', 'a,""', [['a', '']]],
  ['nothing', '', []],
])('reads %s', (_name, text, rows) => {
  expect(readCsv(text)).toEqual(rows);
});

test('writes what it reads back', () => {
  const values = ['plain', 'a,b', 'say "hi"', 'two\nlines', ' spaced ', ''];
  expect(readCsv(csvLine(values))).toEqual([values]);
  // Neither the semicolons nor the tabs look like what separates the values.
  for (const value of ['a; b; c', 'a\tb\tc'])
    expect(readCsv(csvLine([value, '1']))).toEqual([[value, '1']]);
  expect(csvLine([1, null, 0.25])).toBe('1,,0.25');
});
