import { describe, expect, test } from 'vitest';
import { diffJson } from '../../renderer/run/compare/metrics/json-diff.ts';
import { diffWords } from '../../renderer/run/compare/metrics/word-diff.ts';
import type { JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';

/** Marks changes as `[-removed-]` and `[+added+]`. */
function shown(one: string, other: string): string {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['[+', '+]'] };
  return diffWords(one, other)
    .map(({ kind, text }) => marks[kind].join(text))
    .join('');
}

describe('the word diff', () => {
  test.each([
    [
      'The cat sat on the mat.',
      'The cats sat on a mat.',
      'The [-cat -][+cats +]sat on [-the -][+a +]mat.',
    ],
    // A word that both texts share by chance still counts as changed.
    [
      'Bring everything quickly, the parcel arrives.',
      'Nobody answered, the office closed.',
      '[-Bring everything quickly, the parcel arrives-][+Nobody answered, the office closed+].',
    ],
    // An added sentence or paragraph counts as one change.
    [
      'I like cats. I like dogs.',
      'I like cats. I like birds. I like dogs.',
      'I like cats. [+I like birds. +]I like dogs.',
    ],
    [
      'In.\n\n- one\n- three\n',
      'In.\n\n- one\n- two\n- three\n',
      'In.\n\n- one\n[+- two\n+]- three\n',
    ],
    ['Go. A b. A c. End.', 'Go. A c. End.', 'Go. [-A b. -]A c. End.'],
  ])('compares “%s” and “%s”: “%s”', (one, other, expected) => {
    expect(shown(one, other)).toBe(expected);
  });

  test('returns one run for equal texts, even if whitespace differs', () => {
    expect(diffWords('One  two\n', 'One two')).toEqual([{ kind: 'same', text: 'One two' }]);
    expect(diffWords('', '')).toEqual([]);
    expect(diffWords('', 'new')).toEqual([{ kind: 'added', text: 'new' }]);
  });

  test('finds words in scripts without spaces', () => {
    const runs = diffWords('今日は天気がいいです', '明日は天気がいいです');
    expect(runs.map(({ kind }) => kind)).toEqual(['removed', 'added', 'same']);
  });
});

function differences(one: string, other: string) {
  const [before, after] = [parseJson(one), parseJson(other)];
  if (before === undefined || after === undefined) throw new Error('Not JSON');
  return diffJson(before, after);
}

describe('the JSON diff', () => {
  test('lists additions, removals and changes by path', () => {
    expect(
      differences('{"name":"Ada","tags":["a"],"age":36}', '{"age":37,"name":"Ada","city":null}'),
    ).toEqual([
      { kind: 'removed', path: ['tags'], before: ['a'] },
      { kind: 'changed', path: ['age'], otherPath: ['age'], before: 36, after: 37 },
      { kind: 'added', path: ['city'], after: null },
    ]);
  });

  test('ignores the order of fields and the notation of numbers', () => {
    const same = differences('{"a":1.0,"b":[{"c":1,"d":2}]}', '{"b":[{"d":2,"c":1e0}],"a":1}');
    expect(same).toEqual([]);
  });

  test('compares every digit of long numbers', () => {
    const found = differences('{"id":9007199254740993}', '{"id":9007199254740992}');
    expect(JSON.stringify(found)).toContain('"before":9007199254740993,"after":9007199254740992');
    expect(differences('[1e400]', '[10e399]')).toEqual([]);
  });

  test('reports one inserted item as one difference', () => {
    expect(differences('[{"id":1},{"id":2}]', '[{"id":0},{"id":1},{"id":3}]')).toEqual([
      { kind: 'added', path: [0], after: { id: 0 } },
      { kind: 'changed', path: [1, 'id'], otherPath: [2, 'id'], before: 2, after: 3 },
    ]);
    expect(differences('[{"n":1,"v":1},5]', '[{"n":1,"v":2},{"n":7},5]')).toMatchObject([
      { kind: 'changed', path: [0, 'v'] },
      { kind: 'added', path: [1] },
    ]);
    expect(differences('[1,2,3]', '[3]')).toMatchObject([
      { kind: 'removed', path: [0] },
      { kind: 'removed', path: [1] },
    ]);
  });

  test.each<[JsonValue, JsonValue]>([
    [[], {}],
    [null, {}],
    ['1', 1],
    [false, null],
  ])('reports %j and %j as whole values', (before, after) => {
    const change = { kind: 'changed', path: [], otherPath: [], before, after };
    expect(diffJson(before, after)).toEqual([change]);
  });

  test('handles fields named like built-in properties', () => {
    const added = { kind: 'added', path: ['constructor'], after: 1 };
    expect(differences('{}', '{"constructor":1}')).toEqual([added]);
    const removed = { kind: 'removed', path: ['toString'], before: 1 };
    expect(differences('{"toString":1}', '{}')).toEqual([removed]);
  });
});
