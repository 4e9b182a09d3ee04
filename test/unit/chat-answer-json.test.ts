import { describe, expect, it, test } from 'vitest';
import { beginsAsJson, readJsonAnswer } from '../../renderer/run/body/answer-json.ts';

describe('a finished answer', () => {
  test.each([
    ['an object', '{"title": "T"}', { title: 'T' }],
    ['a list with space around it', ' [1, 2]\n', [1, 2]],
    ['a fence that is all of it', '```json\n{"a": [true]}\n```', { a: [true] }],
  ])('reads %s as JSON', (_name, text, value) => {
    expect(readJsonAnswer(text)?.value).toEqual(value);
  });

  test.each([
    ['words', 'Certainly!'],
    ['a number', '42'],
    ['a link', '[docs](https://example.com)'],
    ['words before it', 'Here it is: {"a": 1}'],
    ['a cut object', '{"a": 1'],
    ['a fence with words behind it', '```json\n{"a": 1}\n```\nDone.'],
  ])('rejects %s', (_name, text) => {
    expect(readJsonAnswer(text)).toBeNull();
  });

  it('keeps the JSON as the model wrote it', () => {
    expect(readJsonAnswer('```\n{"big": 12345678901234567890}\n```')?.source).toBe(
      '{"big": 12345678901234567890}',
    );
  });
});

describe('an answer that is still streaming', () => {
  test.each(['{', '{"ti', '[{"a"', '["x"'])('recognizes the start of a JSON answer: %s', (text) => {
    expect(beginsAsJson(text)).toBe(true);
  });
  test.each(['', 'Hello', '[docs](', '[1] A source', '{curly words}'])(
    'recognizes text: %j',
    (text) => {
      expect(beginsAsJson(text)).toBe(false);
    },
  );
});
