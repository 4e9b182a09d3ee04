import { expect, it } from 'vitest';
import { readCsv } from '../../renderer/lib/csv.ts';
import { escapeFormula, formatCsvRow } from '../../shared/csv.ts';

it.each<[name: string, text: string, rows: string]>([
  ['plain lines', 'a,b\nc,d\n', 'a|b / c|d'],
  ['CRLF, CR and a byte order mark', '\uFEFFa,b\r\nc,d\re,f', 'a|b / c|d / e|f'],
  ['quoted separators and line breaks', '"a,1","say ""hi""","x\r\ny"\n', 'a,1|say "hi"|x\r\ny'],
  ['semicolons, as from European spreadsheets', 'id;text\n1;"a;b, c"', 'id|text / 1|a;b, c'],
  ['tabs', 'a\tb\n1\t2', 'a|b / 1|2'],
  ['empty fields', 'a,,c\n,,\n', 'a||c / ||'],
  ['no row from an empty line', 'a\n\n\nb\n', 'a / b'],
  ['a quote within a field', 'say "hi",b', 'say "hi"|b'],
  ['an unclosed quote', 'a,"b\nc', 'a|b\nc'],
  ['a quoted empty field at the end', 'a,""', 'a|'],
  ['nothing', '', ''],
])('reads %s', (_name, text, rows) => {
  const read = readCsv(text);
  expect(read.map((fields) => fields.join('|')).join(' / ')).toBe(rows);
});

it('formats null as an empty field', () => {
  expect(formatCsvRow([1, null, 0.25])).toBe('1,,0.25');
});

it.each([
  '=1+2',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '  =cmd()',
  '\t=1',
  '\r=1',
  '\n=1',
  '|calc',
  '\uFF1D1+1',
])('marks %j as text', (text) => {
  expect(escapeFormula(text)).toBe(`'${text}`);
});

it.each(['', 'a=1', '12', '“-”', 'Say: -1'])('keeps %j, which isn’t a formula', (text) => {
  expect(escapeFormula(text)).toBe(text);
});
