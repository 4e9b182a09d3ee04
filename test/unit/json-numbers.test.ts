import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareNumbers, isWholeNumber } from '../../shared/compare-numbers.ts';
import { ExactNumber, getNumber } from '../../shared/exact-number.ts';
import { isJsonObject, isSameJson, type JsonValue, toJson } from '../../shared/json.ts';
import { jsonValueSchema } from '../../shared/json-schema.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import { decimal, wholeNumber } from '../../shared/operations/form/number-fields.ts';
import { parseJson, readJsonNumber } from '../../shared/parse-json.ts';
import { applyPatch, diff } from '../../shared/patch.ts';

const long = [
  '9007199254740993',
  '-9223372036854775809',
  '18446744073709551615',
  '1000000000000000000000',
  '1.0000000000000000001',
  '0.1000000000000000055511151231257827',
  '1e400',
  '-1E+400',
  '1e-400',
  '1.2345e-320',
  '12345678901234567890e-5',
];

describe('a number that JavaScript would round', () => {
  it.each(long)('prints %s unchanged, wherever it is', (source) => {
    for (const text of [source, `[${source}]`, `{"a":{"b":[0,${source},"x"]}}`]) {
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }
    const spaced = `{ "text": "a chunk of words: 12, 13", "id" :\n\t${source} }`;
    expect(parseJson(spaced)).toMatchObject({ id: new ExactNumber(source) });
    expect(JSON.stringify(parseJson(`[${source}]`), null, 2)).toBe(`[\n  ${source}\n]`);
    expect(`${parseJson(source)}`).toBe(source);
  });

  it.each([
    ['0', 0],
    ['1.0', 1],
    ['-0.00012345678901234', -0.000_123_456_789_012_34],
    ['9007199254740992', 2 ** 53],
    ['12345678901234567000', 12_345_678_901_234_567_000],
    ['1.1920928244535389e-07', 1.192_092_824_453_538_9e-7],
    ['1e+21', 1e21],
    ['1.7976931348623157E308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
    ['0.000000000000000000000001', 1e-24],
    ['0e999', 0],
  ])('keeps %s as a plain number, because it needs no rounding', (source, value) => {
    expect(parseJson(`{"a":[${source}]}`)).toEqual({ a: [value] });
  });

  it('ignores digits inside strings', () => {
    const body = {
      id: 'chatcmpl-2026112209520412345678901234567890',
      content: '12345678901234567890, 1e400: [9007199254740993]',
      name: '1'.repeat(100_000),
    };
    expect(parseJson(JSON.stringify(body))).toEqual(body);
  });

  it('ignores megabytes of digits in a string', () => {
    expect(parseJson(JSON.stringify('7'.repeat(4_000_000)))).toHaveLength(4_000_000);
  });

  it('keeps every digit after a string of any length', () => {
    for (let padding = 0; padding < 64; padding += 1) {
      const text = `{"pad":"${'x'.repeat(padding)}","seed":9007199254740993}`;
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }
  });

  it('equals a number with the same digits, and is not treated as an object', () => {
    const number = readJsonNumber('9007199254740993');
    expect(isJsonObject(number)).toBe(false);
    expect(isSameJson([number], parseJson('[9007199254740993]'))).toBe(true);
    expect(isSameJson(number, readJsonNumber('9007199254740995'))).toBe(false);
    expect(isSameJson(number, { source: '9007199254740993' })).toBe(false);
    expect(isSameJson(number, 9007199254740992)).toBe(false);
  });

  it('passes through the schemas of the contract and the ledger unchanged', () => {
    const value = parseJson('{"ids":[9007199254740993,{"seed":1e400}]}');
    expect(jsonValueSchema.parse(value)).toBe(value);
    expect(JSON.stringify(toJson(value))).toBe('{"ids":[9007199254740993,{"seed":1e400}]}');
    for (const wrong of [new Date(), undefined, Number.NaN, new Map(), () => 1, [undefined]]) {
      expect(jsonValueSchema.safeParse(wrong).success).toBe(false);
    }
  });

  it('appears in a patch only if it changed', () => {
    const before = { seed: readJsonNumber('9007199254740993'), text: 'a' };
    const same = { seed: readJsonNumber('9007199254740993'), text: 'a' };
    const after = { seed: readJsonNumber('9007199254740995'), text: 'a' };
    expect(diff(before, same)).toEqual([]);
    expect(diff(before, after)).toEqual([{ op: 'set', path: ['seed'], value: after.seed }]);
    expect(applyPatch(before, diff(before, after))).toEqual(after);
  });

  it('converts it to the nearest JavaScript number', () => {
    expect(getNumber(readJsonNumber('1.0000000000000000001'))).toBe(1);
    expect(getNumber(readJsonNumber('1e400'))).toBeNull();
    expect(getNumber('1')).toBeNull();
  });
});

describe('in a browser that cannot keep digits', () => {
  const { parse, rawJSON } = JSON;
  beforeEach(() => {
    JSON.parse = (text: string, reviver?: (key: string, value: JsonValue) => JsonValue) =>
      parse(text, reviver && ((key, value) => reviver(key, value)));
    Reflect.deleteProperty(JSON, 'rawJSON');
  });
  afterEach(() => Object.assign(JSON, { parse, rawJSON }));

  it('rounds long numbers, and keeps everything else unchanged', () => {
    expect(parseJson('{"a":"b","seed":9007199254740993}')).toEqual({ a: 'b', seed: 2 ** 53 });
    expect(JSON.stringify([new ExactNumber('9007199254740993')])).toBe('[9007199254740992]');
  });
});

describe('limits', () => {
  it.each([
    ['1', 1, 0],
    ['2.0000000000000000001', 2, 1],
    ['1.9999999999999999999', 2, -1],
    ['-2.0000000000000000001', -2, -1],
    ['1e400', 2, 1],
    ['-1e400', 2, -1],
    ['1e-400', 0, 1],
    ['-1e-400', 0, -1],
    ['0.0', 0, 0],
    ['9007199254740993', 2 ** 53, 1],
  ])('compares %s to %d', (source, bound, expected) => {
    expect(Math.sign(compareNumbers(readJsonNumber(source), bound))).toBe(expected);
    expect(Math.sign(compareNumbers(bound, readJsonNumber(source)))).toBe(0 - expected);
  });

  it.each([
    ['9007199254740993', true],
    ['9007199254740993.0', true],
    ['9007199254740993.5', false],
    ['1e400', true],
    ['1.5e400', true],
    ['1e-400', false],
    ['1.0000000000000000001', false],
    ['0', true],
    ['-3', true],
    ['2.5', false],
  ])('tells whether %s is a whole number: %s', (source, isWhole) => {
    expect(isWholeNumber(readJsonNumber(source))).toBe(isWhole);
  });

  it.each([
    [wholeNumber(), '9007199254740993', []],
    [wholeNumber({ minimum: 1 }), '-9007199254740993', ['Enter 1 or more.']],
    [wholeNumber(), '9007199254740993.5', ['Enter a whole number.']],
    [decimal({ minimum: 0, maximum: 2 }), '1.9999999999999999999', []],
    [decimal({ minimum: 0, maximum: 2 }), '2.0000000000000000001', ['Enter a number from 0 to 2.']],
    [decimal(), '1e400', []],
  ])('compares every digit of a request with the limits: %#', (schema, source, expected) => {
    const errors = findFieldErrors(schema, readJsonNumber(source));
    expect(errors.map(({ message }) => message)).toEqual(expected);
  });
});
