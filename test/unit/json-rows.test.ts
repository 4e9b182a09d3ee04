import { describe, expect, it } from 'vitest';
import {
  type JsonRow,
  listJsonRows,
  openRows,
  toggleRow,
} from '../../renderer/ui/json-view/json-rows.ts';
import type { JsonValue } from '../../shared/json.ts';

const textOf = ({ depth, pieces }: JsonRow) =>
  '  '.repeat(depth) + pieces.map(({ text }) => text).join('');
const shown = (value: JsonValue, mostRows = 60) =>
  listJsonRows(value, openRows(value, mostRows)).map(textOf);

describe('jsonRows', () => {
  it('indents a small value, with short lists in one row', () => {
    expect(shown({ model: 'm', stop: ['a', 'b'], n: 1.5, user: null, extra: {}, at: [] })).toEqual([
      '{',
      '  "model": "m",',
      '  "stop": ["a", "b"],',
      '  "n": 1.5,',
      '  "user": null,',
      '  "extra": {},',
      '  "at": []',
      '}',
    ]);
  });

  it('opens from the top down and folds long lists', () => {
    const value = { usage: { total: 3 }, data: Array.from({ length: 12 }, (_, at) => ({ at })) };
    expect(shown(value, 8)).toEqual([
      ...['{', '  "usage": {', '    "total": 3', '  },', '  "data": […] 12 items', '}'],
    ]);
  });

  it('shows the first items of a long list, then more', () => {
    const value = Array.from({ length: 1500 }, (_, at) => at);
    const open = openRows(value, 60);
    const rows = listJsonRows(value, open);
    const more = rows.at(-2);
    expect(rows).toHaveLength(103);
    expect(more && textOf(more)).toBe('  1,400 more items…');
    const after = more ? listJsonRows(value, toggleRow(open, more)) : [];
    expect(after.at(-2)?.pieces.at(0)?.text).toBe('400 more items…');
  });

  it('folds a long text and splits it into rows when opened', () => {
    const value = { image: 'x'.repeat(5000), after: 1 };
    const open = openRows(value, 60);
    const [, folded, last] = listJsonRows(value, open);
    expect(folded && textOf(folded)).toBe(
      `  "image": "${'x'.repeat(400)}…", 4,600 more characters`,
    );
    expect(last && textOf(last)).toBe('  "after": 1');
    const opened = folded ? listJsonRows(value, toggleRow(open, folded)) : [];
    expect(opened.slice(1, 4).map(({ isOpen, part }) => [isOpen, part])).toEqual([
      [true, null],
      [null, 'end'],
      [null, 'end'],
    ]);
    const whole = opened.slice(1, 4).map(({ pieces }) => pieces.map(({ text }) => text).join(''));
    expect(whole.join('')).toBe(`"image": ${JSON.stringify(value.image)},`);
  });

  it('folds an open object', () => {
    const value = { a: { b: 1 } };
    const open = openRows(value, 60);
    const inner = listJsonRows(value, open)[1];
    const rows = inner && listJsonRows(value, toggleRow(open, inner)).map(textOf);
    expect(rows).toEqual(['{', '  "a": {…} 1 field', '}']);
  });

  it('handles a million values and thousands of levels', () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 2000; level += 1) deep = { deep };
    expect(listJsonRows(deep, openRows(deep, 20_000)).length).toBe(4001);
    const wide = { list: Array.from({ length: 1_000_000 }, () => 0.1) };
    expect(listJsonRows(wide, openRows(wide, 20_000)).length).toBeLessThan(200);
  });

  it('shows names that look like numbers or paths', () => {
    const rows = shown({ '1': [], '/0': { '~': 'é\n' } });
    expect(rows).toEqual(['{', '  "1": [],', '  "/0": {', '    "~": "é\\n"', '  }', '}']);
  });
});
