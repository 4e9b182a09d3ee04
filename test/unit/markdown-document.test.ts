import { describe, expect, it } from 'vitest';
import { type Block, listGroups } from '../../renderer/ui/markdown/block.ts';
import { appendText, emptyDocument, show } from '../../renderer/ui/markdown/document.ts';

function getBlocks(text: string): Block[] {
  return listGroups(show(appendText(emptyDocument, text), text, false).blocks).flat();
}

// properties-markdown.test.ts compares whole documents with marked.
describe('a Markdown document', () => {
  it.each<[string, object]>([
    ['>\t\tfoo\n', { kind: 'quote', text: '      foo\n' }],
    ['- foo\n\n\t\tbar\n', { current: 'foo\n\n      bar\n' }],
    ['    a\n      \n    b\n', { lines: { rest: ['a', '  ', 'b'] } }],
    [
      '````py\n\n```\n# no heading\n````\n',
      { kind: 'code', info: 'py', closed: true, lines: { rest: ['', '```', '# no heading'] } },
    ],
    ['>'.repeat(20_000), { kind: 'quote' }],
    ['- a\n- b\n\nend', { loose: false }],
    ['- a\n\n- b', { loose: true }],
  ])('reads the first block of %j', (text, block) => {
    expect(getBlocks(text)[0]).toMatchObject(block);
  });
  it('returns the same document until another line is complete', () => {
    const document = appendText(emptyDocument, 'one\n\n');
    expect(appendText(document, 'one\n\nhalf a li')).toBe(document);
  });

  it('starts over for another text', () => {
    const document = appendText(emptyDocument, 'one\n\ntwo\n\n');
    expect(listGroups(appendText(document, '# other\n').blocks).flat()).toEqual([
      { kind: 'leaf', raw: '# other\n', lastLine: '# other' },
    ]);
  });

  it.each(['-', '1.', '##', '```py', '>', '- [', '|--'])(
    'shows an unfinished last line of %j only once streaming ends',
    (marker) => {
      const text = `a\n\n${marker}`;
      const document = appendText(emptyDocument, text);
      const count = (streaming: boolean) => {
        const { blocks, open } = show(document, text, streaming);
        return listGroups(blocks).flat().length + (open ? 1 : 0);
      };
      expect(count(true)).toBe(1);
      expect(count(false)).toBe(2);
    },
  );

  it('finds link definitions anywhere, and keeps the first of each name', () => {
    const text = '[a][x] b\n\n[x]: https://one.example "T"\n[X]: https://two.example\n';
    expect(appendText(emptyDocument, text).definitions).toEqual({
      x: { href: 'https://one.example', title: 'T' },
    });
  });
});
