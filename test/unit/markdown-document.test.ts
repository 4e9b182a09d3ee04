import { describe, expect, it } from 'vitest';
import { allGroups, type Block } from '../../renderer/ui/markdown/block.ts';
import { appendText, emptyDocument, show } from '../../renderer/ui/markdown/document.ts';

function blocksOf(text: string): Block[] {
  return allGroups(show(appendText(emptyDocument, text), text, false).blocks).flat();
}

function kinds(text: string): string[] {
  return blocksOf(text).map((block) => block.kind);
}

const everything = [
  '# Title\r\n\r\nA paragraph\nof two lines\nthen a list:\n- one\n- two\n  - nested\n\n  more of two\n',
  '3. three\n4. four\n\n```ts\nconst a = 1;\n\n- not a list\n```\nA | B\n--|--\n1 | 2\n\n',
  '> quoted\nlazily\n> - list\n\n    indented\n\n    code\n\nSetext\n---\n* * *\n[ref]: https://e.com\n[ref]',
].join('');

describe('a markdown document', () => {
  it.each([
    ['a list right under a paragraph', 'Here:\n- a\n- b', ['leaf', 'list']],
    ['a number other than 1 inside a paragraph', 'It was\n1984. A year', ['leaf']],
    ['a rule between dashes', '- a\n\n---\n- b', ['list', 'leaf', 'list']],
    ['another bullet', '- a\n* b', ['list', 'list']],
    ['a fence inside a paragraph', 'text\n```\ncode', ['leaf', 'code']],
    ['a table under its introduction', 'Look:\na|b\n-|-\n1|2', ['leaf', 'table']],
    ['a table with the wrong number of columns', 'a|b\n-|-|-\n', ['leaf']],
    ['a quote', '> a\n> b\n\nc', ['quote', 'leaf']],
    ['an item with a paragraph behind a blank line', '- a\n\n  b\n\nc', ['list', 'leaf']],
    ['HTML', '<div>\nhi\n</div>\n\nx', ['leaf', 'leaf']],
  ])('finds the blocks of %s', (_name, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it.each([
    [
      'a fence that a line ends which is in no quote',
      '> ```\nfoo\n```\n',
      ['quote', 'leaf', 'code'],
    ],
    ['code in a quote, and code', '>     foo\n    bar\n', ['quote', 'code']],
    ['a fence in an item, and a line beside it', '- ```\nfoo\n', ['list', 'leaf']],
    ['an item without anything', '-\n\n  foo\n', ['list', 'leaf']],
    ['quotes in each other without end', '>'.repeat(20_000), ['quote']],
  ])('ends what no paragraph continues: %s', (_name, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it.each([
    ['an underline', '> foo\nbar\n===\n', /^foo\nbar\n {4,}===\n$/],
    ['a bullet too far in', '> - a\n      - b\n', /^- a\n {4,}- b\n$/],
    ['words', '> foo\n   bar\n', /^foo\nbar\n$/],
  ])('takes %s that continues a paragraph of a quote for words', (_name, text, inside) => {
    expect(blocksOf(text)).toMatchObject([{ kind: 'quote', text: expect.stringMatching(inside) }]);
  });

  it.each([
    ['- foo\n\n\t\tbar\n', { current: 'foo\n\n      bar\n' }],
    ['-\t\tfoo\n', { current: '      foo\n' }],
    ['>\t\tfoo\n', { text: '      foo\n' }],
    ['- ```\n  \tmake\n', { current: '```\n\tmake\n' }],
  ])('measures tabs from where the line begins: %j', (text, expected) => {
    expect(blocksOf(text)[0]).toMatchObject(expected);
  });

  it('keeps what a blank line of code has beyond its indentation', () => {
    expect(blocksOf('    a\n      \n    b\n')[0]).toMatchObject({
      lines: { rest: ['a', '  ', 'b'] },
    });
  });

  it('keeps blank lines and markers inside a fence as code', () => {
    const code = blocksOf('````py\n\n```\n# no heading\n````\n')[0];
    expect(code).toMatchObject({
      kind: 'code',
      info: 'py',
      closed: true,
      lines: { rest: ['', '```', '# no heading'] },
    });
  });

  it('is loose only where a blank line is between', () => {
    expect(blocksOf('- a\n- b\n\nend')[0]).toMatchObject({ loose: false });
    expect(blocksOf('- a\n\n- b')[0]).toMatchObject({ loose: true });
  });

  it('gives the same blocks however the text was cut', () => {
    const whole = show(appendText(emptyDocument, everything), everything, false);
    for (const size of [1, 2, 3, 7, 13]) {
      let document = emptyDocument;
      for (let end = size; end < everything.length + size; end += size) {
        document = appendText(document, everything.slice(0, end));
      }
      expect(show(document, everything, false)).toEqual(whole);
    }
  });

  it('leaves finished groups untouched while the text grows', () => {
    const text = Array.from({ length: 40 }, (_, index) => `Paragraph ${index}\n\n`).join('');
    const before = appendText(emptyDocument, text);
    const after = appendText(before, `${text}More.\n\n`);
    expect(after.blocks.groups[0]).toBe(before.blocks.groups[0]);
    expect(appendText(after, `${text}More.\n\nhalf a li`)).toBe(after);
  });

  it('starts over when it is given another text', () => {
    const document = appendText(emptyDocument, 'one\n\ntwo\n\n');
    expect(allGroups(appendText(document, '# other\n').blocks).flat()).toEqual([
      { kind: 'leaf', raw: '# other\n' },
    ]);
  });

  it.each(['-', '1.', '##', '```py', '>', '- [', '|--'])(
    'waits with %j while it streams and shows it in the end',
    (marker) => {
      const text = `a\n\n${marker}`;
      const document = appendText(emptyDocument, text);
      const count = (streaming: boolean) => {
        const { blocks, open } = show(document, text, streaming);
        return allGroups(blocks).flat().length + (open ? 1 : 0);
      };
      expect(count(true)).toBe(1);
      expect(count(false)).toBe(2);
    },
  );

  it('finds link definitions wherever they are, the first one winning', () => {
    const text = '[a][x] b\n\n[x]: https://one.example "T"\n[X]: https://two.example\n';
    expect(appendText(emptyDocument, text).definitions).toEqual({
      x: { href: 'https://one.example', title: 'T' },
    });
  });
});
