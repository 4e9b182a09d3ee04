import { describe, expect, it } from 'vitest';
import { prettyJson, textLines } from '../../renderer/run/body/text-lines.ts';

describe('textLines', () => {
  it('numbers lines and cuts a very long one into rows', () => {
    const lines = textLines(`a\n${'b'.repeat(4100)}\nc`);
    expect(lines.map(({ number, text }) => [number, text.length])).toEqual([
      [1, 1],
      [2, 2000],
      [null, 2000],
      [null, 100],
      [3, 1],
    ]);
  });
});

describe('prettyJson', () => {
  it('indents objects and arrays, and leaves all else alone', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('<html>')).toBeNull();
    expect(prettyJson('{"cut":')).toBeNull();
    expect(prettyJson('plain')).toBeNull();
  });
});
