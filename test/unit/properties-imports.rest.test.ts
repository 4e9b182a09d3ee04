import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readExportedPrices } from '../../electron/prices/prices.ts';
import { readCsv } from '../../renderer/lib/csv.ts';
import { formatLabelsCsv, readLabels } from '../../renderer/run/compare/ranked/relevance-labels.ts';
import {
  getDocuments,
  readDocuments,
  toText,
} from '../../renderer/run/form/documents/documents.ts';
import { mapText, readMapRows } from '../../renderer/run/form/typed-value.ts';
import { formatCsvRow } from '../../shared/csv.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { inputs, jsonValue } from '../fixtures/property.ts';

/** Generates letters mixed with special characters of shells, JSON and tables. */
const text = fc.string({
  unit: fc.constantFrom(...'aB7 \n\r\t,;"\'\\$`!@[{:-€😀\uFEFF\u2028'),
  maxLength: 8,
});
const jsonText = jsonValue.map((value) => JSON.stringify(value));

it('keeps every digit of a number from text to text', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0019'), minLength: 1, maxLength: 22 });
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits.map((whole) => whole.replace(/^0+(?=\d)/, '')),
      fc.option(digits),
      fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat({ max: 400 }))),
    )
    .map(([sign, whole, fraction, exponent]) => {
      return `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`;
    });
  fc.assert(
    fc.property(fc.array(number, { maxLength: 6 }), (numbers) => {
      const printed = JSON.stringify(parseJson(`{"a":[${numbers.join(',')}]}`));
      const again = printed.slice('{"a":['.length, -']}'.length).split(',');
      expect(again.map(exactly)).toEqual((numbers.length === 0 ? [''] : numbers).map(exactly));
    }),
    inputs(2000),
  );
});

/** Returns the significant digits and the exponent of the last digit. */
function exactly(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

it('reads back comma-separated values as they were written', () => {
  const row = fc.integer({ min: 2, max: 4 }).chain((columns) => {
    const fields = fc.array(text, { minLength: columns, maxLength: columns });
    return fc.array(fields, { maxLength: 4 });
  });
  fc.assert(
    fc.property(row, fc.constantFrom('\n', '\r\n'), (rows, lineEnd) => {
      expect(readCsv(rows.map((values) => formatCsvRow(values) + lineEnd).join(''))).toEqual(rows);
    }),
    inputs(1000),
  );
});

it('reads saved labels, or explains why it rejects a file', () => {
  const labels = fc.dictionary(fc.nat({ max: 99 }).map(String), fc.constantFrom(0, 1, 2, 3), {
    minKeys: 1,
    maxKeys: 6,
  });
  fc.assert(
    fc.property(labels, jsonValue, text, (given, json, content) => {
      const saved = readLabels('labels.csv', formatLabelsCsv({ ...given }), 100);
      expect(saved).toEqual({ ok: true, labels: { ...given } });
      for (const other of [JSON.stringify(json), content]) {
        const read = readLabels('labels', other, 3);
        expect(read.ok || read.message !== '').toBe(true);
      }
    }),
    inputs(500),
  );
});

it('sends added documents unchanged, from a list or a file', () => {
  const written = text.filter((document) => document.trim() !== '');
  const documents = fc.array(written, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(documents, (given) => {
      const lines = given.map((document) => document.replace(/\r\n?/g, '\n'));
      expect(getDocuments(toText(given))).toEqual(lines);
      for (const [name, file] of [
        ['a.json', JSON.stringify(given)],
        ['a.json', JSON.stringify(given.map((content) => ({ id: 1, text: content })))],
        ['a.jsonl', given.map((content) => JSON.stringify({ text: content })).join('\r\n')],
        ['a.csv', ['text,id', ...given.map((content) => formatCsvRow([content, '1']))].join('\n')],
      ] as const) {
        expect(readDocuments(name, file)).toMatchObject({ ok: true, documents: given });
      }
    }),
    inputs(500),
  );
});

it('reads any file of documents or explains why it can’t', () => {
  const names = fc.constantFrom('a', 'a.csv', 'a.tsv', 'a.json', 'a.jsonl', 'a.txt');
  fc.assert(
    fc.property(names, fc.oneof(text, jsonText), (name, content) => {
      const read = readDocuments(name, content);
      const isSound = read.ok ? read.documents.every((one) => one.trim() !== '') : read.message;
      expect(isSound).toBeTruthy();
    }),
    inputs(800),
  );
});

it('reads the rows of a map from their text', () => {
  const value = fc.constantFrom('', '1', '-2.5', '1e', 'x', '"', '1,2', 'a\nb', '}');
  fc.assert(
    fc.property(fc.array(fc.record({ key: text, value }), { maxLength: 4 }), (rows) => {
      expect(readMapRows(mapText(rows))).toEqual(rows);
    }),
    inputs(500),
  );
});

it('imports exported prices, or explains why it rejects a table', () => {
  const connections = [{ id: 'c1', name: 'One' }];
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      text.filter((model) => model.trim() !== ''),
      fc.array(jsonValue, { minLength: 1, maxLength: 3 }),
      (price, model, rows) => {
        const row = { connection: 'One', model: model.trim(), perImage: price };
        const exported = parseJson(JSON.stringify([row]));
        const [read] = readExportedPrices(Array.isArray(exported) ? exported : [], connections);
        expect(read).toMatchObject({ connectionId: 'c1', model: model.trim() });
        expect(read?.rates.perImage).toBeCloseTo(price, 10);
        expect(() => readExportedPrices(rows, connections)).toThrow(/^Row \d/);
      },
    ),
    inputs(300),
  );
});
