import { describe, expect, it } from 'vitest';
import { isPlainText } from '../../renderer/ui/markdown/inline.tsx';
import { settleInlineTail } from '../../renderer/ui/markdown/inline-tail.ts';
import { splitParagraph } from '../../renderer/ui/markdown/paragraph-runs.ts';

describe('settleInlineTail', () => {
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
    ['请看[文档](https://e.c', '请看文档'],
    ['a claim[^1', 'a claim'],
    ['a claim[^1]', 'a claim[^1]'],
    ['a claim[', 'a claim'],
  ])('turns %j into %j', (raw, shown) => {
    expect(settleInlineTail(raw)).toBe(shown);
  });
});

describe('paragraphRuns', () => {
  it('never cuts through emphasis or code', () => {
    for (const run of splitParagraph('some words **in bold here** and `code` '.repeat(400))) {
      expect((run.match(/\*\*/g)?.length ?? 0) % 2).toBe(0);
      expect((run.match(/`/g)?.length ?? 0) % 2).toBe(0);
    }
  });

  it('cuts a text without spaces', () => {
    const runs = splitParagraph('x'.repeat(20_000));
    expect(Math.max(...runs.map((run) => run.length))).toBeLessThanOrEqual(6000);
  });
});

describe('isPlainText', () => {
  it.each([
    'Plain words, with signs: (one) "two" – three… 4 + 5 = 9; a/b, #6, $7, 8 % of it?',
    'Straße, 城门楼, naïve — and an emoji 🎉',
    'http and www without an address',
  ])('accepts %s', (text) => {
    expect(isPlainText(text)).toBe(true);
  });

  it.each([
    ...['**bold**', 'snake_case', '`code`', '~~gone~~', '[link](https://x.y)', '![image](x)'],
    ...['an $x$', '<b>', 'Q&amp;A', 'a\\*b', 'mail a@b.example', 'see https://x.y', 'two\nlines'],
  ])('rejects %s', (text) => {
    expect(isPlainText(text)).toBe(false);
  });
});
