import { describe, expect, it } from 'vitest';
import { findJsonProblem, isCutJson } from '../../renderer/lib/format-json-error.ts';

it.each([
  ['{"a": 1, ', true],
  ['{"a": "Hel', true],
  ['[12.', true],
  ['{"a": 1}', false],
  ['{"a": 1}\n\nDone.', false],
  ['[[Foo]] is a link.', false],
])('recognizes JSON that was cut off: %j', (text, expected) => {
  expect(isCutJson(text)).toBe(expected);
});

describe('jsonProblem', () => {
  it.each([
    '{}',
    '[]',
    ' [1, -0.5e+3, "a\\u00e9\\n", true, null, {"a": {"b": []}}] ',
    '"text"',
    '0',
  ])('accepts %s', (text) => {
    expect(findJsonProblem(text)).toBeNull();
  });

  it.each([
    ['', 'Line 1, column 1: expected a value.'],
    ['{"a": 1', 'Line 1, column 8: expected a comma or }.'],
    ['{\n  "a": 1\n  "b": 2\n}', 'Line 3, column 3: expected a comma or }.'],
    ['{a: 1}', 'Line 1, column 2: expected a name in double quotes.'],
    ["{'a': 1}", 'Line 1, column 2: expected a name in double quotes.'],
    ['{"a" 1}', 'Line 1, column 6: expected a colon after the name.'],
    ['{"a": 1,}', 'Line 1, column 9: trailing comma before }.'],
    ['[1, 2,]', 'Line 1, column 7: trailing comma before ].'],
    ['[1] 2', 'Line 1, column 5: unexpected text after the end.'],
    ['{"a": tru}', 'Line 1, column 7: expected a value.'],
    ['[01]', 'Line 1, column 2: expected a value.'],
    ['["a\nb"]', 'Line 1, column 2: unclosed string or invalid escape.'],
  ])('points to the error in %j', (text, message) => {
    expect(findJsonProblem(text)?.message).toBe(message);
  });

  it('agrees with JSON.parse on texts with one character removed or added', () => {
    const text = '{"a": [1, 2.5, "x\\n"], "b": {"c": null, "d": false}}';
    for (let at = 0; at < text.length; at += 1) {
      for (const put of ['', ',', '"', '}', '0', ' ', '\\', '-']) {
        const broken = text.slice(0, at) + put + text.slice(at + 1);
        expect([broken, findJsonProblem(broken) === null]).toEqual([broken, parses(broken)]);
      }
    }
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
