import { describe, expect, it } from 'vitest';
import { settleInlineTail } from '../../renderer/ui/markdown/inline-tail.ts';

describe('the open end of a paragraph', () => {
  it.each([
    ['plain text', 'plain text'],
    ['some **bold', 'some **bold**'],
    ['some **', 'some'],
    ['*it **both', '*it **both***'],
    ['a ~~gone', 'a ~~gone~~'],
    ['done **bold** and *it*', 'done **bold** and *it*'],
    ['2 * 3 = 6', '2 * 3 = 6'],
    ['snake_case_name', 'snake_case_name'],
    ['call `foo(', 'call `foo(`'],
    ['call `', 'call '],
    ['`a*b` and **c', '`a*b` and **c**'],
    ['see [the do', 'see the do'],
    ['see [the docs](https://e.c', 'see the docs'],
    ['see [the docs](https://e.com) now', 'see [the docs](https://e.com) now'],
    ['an image ![alt](htt', 'an image '],
    ['array[0', 'array[0'],
  ])('shows %j as %j', (raw, shown) => {
    expect(settleInlineTail(raw)).toBe(shown);
  });
});
