import { describe, expect, test } from 'vitest';
import { diffJson, printJsonDifference } from '../../renderer/run/compare/metrics/json-diff.ts';
import { diffWords } from '../../renderer/run/compare/metrics/word-diff.ts';
import { findCommonStart } from '../../renderer/run/compare/text-diff/common-start.tsx';
import {
  formatJsonDiff,
  formatWordDiff,
  layOutDiff,
} from '../../renderer/run/compare/text-diff/diff-rows.ts';
import { parseJson } from '../../shared/parse-json.ts';

describe('rows of a diff', () => {
  test('separates the lines of both texts, and counts each change once', () => {
    const runs = diffWords('a list:\n- red\n- blue\nend', 'a list:\nend of it');
    const { blocks, blockOfChange } = layOutDiff(runs);
    expect(blocks.flat().map((row) => row.map(({ text }) => text.trim()))).toEqual([
      ['a list:'],
      ['- red', 'end of it'],
      ['- blue'],
      ['end'],
    ]);
    expect(blocks.flat().map((row) => row.at(-1)?.change)).toEqual([null, 0, 0, 0]);
    expect(blockOfChange).toEqual([0]);
  });

  test('splits even one long line into blocks of a few thousand characters', () => {
    const line = 'Nothing is said here. '.repeat(3000);
    const { blocks, blockOfChange } = layOutDiff(diffWords(`${line}old`, `${line}new`));
    expect(blocks.length).toBeGreaterThan(5);
    expect(blockOfChange).toEqual([blocks.length - 1]);
    const text = blocks.flat(2).map((piece) => (piece.kind === 'added' ? '' : piece.text));
    expect(text.join('')).toBe(`${line}old`);
  });
});

test('copies word changes in the notation of wdiff, and JSON fields with their values', () => {
  const runs = diffWords('a red fox runs', 'a brown fox runs away');
  expect(formatWordDiff(runs)).toBe('a [-red-] {+brown+} fox runs {+away+}');
  const [one = null, other = null] = [
    '{"a":1,"b":[1,2],"c c":null}',
    '{"a":1.5,"b":[1,2,{"x":0}]}',
  ].map(parseJson);
  const changes = diffJson(one, other).map(printJsonDifference);
  expect(formatJsonDiff(changes)).toBe(
    ['- a: 1', '+ a: 1.5', '+ b[2]: {\n  "x": 0\n}', '- ["c c"]: null'].join('\n'),
  );
});

describe('the common prefix', () => {
  test.each([
    [['the ship sails', 'the ship sinks'], 'the ship '],
    [['the ship', 'the shipyard'], 'the '],
    [['the ship', 'the ship sails'], 'the ship'],
    [['the ship', 'the ship'], 'the ship'],
    [['one', 'two'], ''],
    [['今日は良い', '今日は悪い'], '今日は'],
    [['so 👩‍🚀', 'so 👩‍🌾'], 'so '],
    [['one line\nmore', 'one line\nless', 'one line\nmore of it'], 'one line\n'],
    [['alone'], ''],
    [[], ''],
  ])('finds the prefix of %j: %j', (texts, shared) => {
    const start = findCommonStart(texts);
    expect(start.shared).toBe(shared);
    expect(start.rests.map((rest) => start.shared + rest)).toEqual(texts);
  });
});
