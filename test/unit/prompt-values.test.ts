import { describe, expect, it } from 'vitest';
import { joinPrompts, listPrompts } from '../../renderer/run/compare/compared-input.ts';
import {
  fillPrompt,
  getVariables,
  MAX_ROWS,
  readPromptRows,
} from '../../renderer/run/form/prompt-values.ts';

describe('a prompt with variables', () => {
  it('names each variable once, in order', () => {
    const text = 'From {{city}} to {{ target_city }} and {{city}}; {x} {{}} {{1}} {{größe}}';
    expect(getVariables(text)).toEqual(['city', 'target_city', 'größe']);
  });

  it('inserts values unchanged, and keeps variables without a value', () => {
    const values = new Map(Object.entries({ a: '$1 {{b}}', b: '' }));
    expect(fillPrompt('{{a}}|{{b}}|{{c}}', values)).toBe('$1 {{b}}||{{c}}');
  });
});

describe('rows of values', () => {
  const read = (text: string) => {
    const result = readPromptRows(text, ['a', 'b']);
    return result.ok ? result.rows.map((row) => Object.fromEntries(row)) : result.message;
  };

  const toRow = (text: string) => {
    const [a, b] = text.split(' ');
    return { a, b };
  };
  it.each<[string, string, object[] | string]>([
    ['CSV with quotes', 'a,b,c\n1,"two\nlines",3\n', [{ a: '1', b: 'two\nlines', c: '3' }]],
    ['semicolons and spaces in the header', 'a; b\r\n1;2', [{ a: '1', b: '2' }]],
    ['JSONL', '{"a":1,"b":"x"}\n\n{"a":[2],"b":""}', ['1 x', '[2] '].map(toRow)],
    ['a missing value', 'a,b\n1,2\n3', 'Row 2 has no value for “b”.'],
    ['a missing column', 'a\n1', 'Row 1 has no value for “b”.'],
    ['only a header', 'a,b', 'Enter at least one row below the header.'],
    ['broken JSONL', '{"a":1,"b":2}\n{"a"', 'Line 2 isn’t a JSON object.'],
    ['too many rows', `a,b\n${'1,2\n'.repeat(MAX_ROWS + 1)}`, `The limit is ${MAX_ROWS} rows.`],
  ])('reads %s', (_name, text, result) => {
    expect(read(text)).toEqual(result);
  });
});

it('keeps a multi-line prompt in one row', () => {
  const prompts = ['one\ntwo', 'three'];
  expect(listPrompts(joinPrompts(prompts))).toEqual(prompts);
});
