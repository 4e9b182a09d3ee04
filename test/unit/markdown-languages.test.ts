import { readFileSync } from 'node:fs';
import commonMark from 'commonmark-spec/spec.txt?raw';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findEmphasis } from '../../renderer/ui/markdown/emphasis.ts';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';
import { inputs } from '../fixtures/property.ts';

/** Returns the HTML without wrappers, classes and other styling attributes. */
function render(markdown: string): string {
  return renderToStaticMarkup(createElement(Markdown, { text: markdown }))
    .replace(/<div[^>]*>|<\/div>/g, '')
    .replaceAll(/ (?:class|target|rel|scope|aria-label|data-\w+|tabindex|style)="[^"]*"/gi, '');
}

const casesSchema = z.object({
  cases: z.array(z.object({ name: z.string(), markdown: z.string() })),
});
const file = new URL('../fixtures/wire/cases/markdown.json', import.meta.url);
const { cases } = casesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

const shown: Record<string, string> = {
  'emphasis-before-cjk': '<p dir="auto"><strong>注意：</strong>正文</p>',
  'emphasis-in-brackets': '<p dir="auto">これは<strong>（注記）</strong>です</p>',
  'emphasis-sentence': '<p dir="auto"><strong>该星号不会被识别。</strong>这是因为</p>',
  'break-in-cell':
    '<table><thead><tr><th dir="auto">a</th><th dir="auto">b</th></tr></thead>' +
    '<tbody><tr><td dir="auto">one<br/>two</td><td dir="auto">x</td></tr></tbody></table>',
  'single-tilde': '<p dir="auto">It costs 1~2 yuan and 3~4 hours</p>',
  'link-before-cjk':
    '<p dir="auto">请看<a href="https://example.com/a">https://example.com/a</a>，谢谢。</p>',
  footnote:
    '<p dir="auto">A claim<sup><a href="#1">1</a></sup>.</p>' +
    '<section><ol><li dir="auto" value="1"><p>The note.</p><a href="#1">↩</a></li></ol></section>',
  'right-to-left':
    '<p dir="auto">مرحبا بالعالم، هذا نص عربي.</p><p dir="auto">An English paragraph.</p>',
};

describe('Markdown as models write it', () => {
  it.each(cases)('shows the public case $name', ({ name, markdown }) => {
    expect(render(markdown)).toBe(shown[name]);
  });

  const paragraph = (markdown: string) => /^<p dir="auto">(.*)<\/p>$/s.exec(render(markdown))?.[1];

  it.each([
    [
      '**この文を強調できますか（Can I?）？**残念です',
      '<strong>この文を強調できますか（Can I?）？</strong>残念です',
    ],
    ['我可以强调这个**`code`**吗', '我可以强调这个<strong><code>code</code></strong>吗'],
    ['**이 용어(This term)**를 강조', '<strong>이 용어(This term)</strong>를 강조'],
    ['중요한 **“인용”**입니다', '중요한 <strong>“인용”</strong>입니다'],
    ['他说**“你好”**。', '他说<strong>“你好”</strong>。'],
    [
      '**「引用」**と*『本』*と***《書》***です',
      '<strong>「引用」</strong>と<em>『本』</em>と<em><strong>《書》</strong></em>です',
    ],
    ['请看**[文档](https://e.c/x)**。', '请看<strong><a href="https://e.c/x">文档</a></strong>。'],
    [
      '**外**は*「内**（二重）**側」*だ',
      '<strong>外</strong>は<em>「内<strong>（二重）</strong>側」</em>だ',
    ],
    ['价格**50%**左右，*约100$*吧', '价格<strong>50%</strong>左右，<em>约100$</em>吧'],
    ['税込**１，０００円（税別）**から', '税込<strong>１，０００円（税別）</strong>から'],
    ['__注意：__ 正文', '<strong>注意：</strong> 正文'],
    ['~~（古い）~~新しい', '<del>（古い）</del>新しい'],
    ['~~**旧价：**~~现价', '<del><strong>旧价：</strong></del>现价'],
    ['**葛󠄀**（人名）', '<strong>葛󠄀</strong>（人名）'],
    ['葛󠄀**（人名）**', '葛󠄀<strong>（人名）</strong>'],
    ['𠮷**（つちよし）**です', '𠮷<strong>（つちよし）</strong>です'],
    ['**🎉！**正文', '<strong>🎉！</strong>正文'],
  ])('emphasizes text next to CJK punctuation: %s', (markdown, html) => {
    expect(paragraph(markdown)).toBe(html);
  });

  it.each([
    ['foo**"bar"**baz', 'foo**&quot;bar&quot;**baz'],
    ['2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
    ['snake_case_name 和 蛇_形_名', 'snake_case_name 和 蛇_形_名'],
    ['约~5~个，3~4个', '约~5~个，3~4个'],
    ['y ~~~x~~~ z', 'y ~~~x~~~ z'],
    ['~a~ and ~~b~~', '~a~ and <del>b</del>'],
    ['`**a**`和\\*\\*b\\*\\*', '<code>**a**</code>和**b**'],
    ['**未闭合（文', '**未闭合（文'],
  ])('keeps other marks as text: %s', (markdown, html) => {
    expect(paragraph(markdown)).toBe(html);
  });

  it.each([
    ['（https://e.c/a）后', '（', 'https://e.c/a', '）后'],
    ['見てhttps://e.c/a?b=1。次', '見て', 'https://e.c/a?b=1', '。次'],
    ['“https://e.c/a”的', '“', 'https://e.c/a', '”的'],
    ['在https://e.c/a、和', '在', 'https://e.c/a', '、和'],
    ['a https://e.c/a.）', 'a ', 'https://e.c/a', '.）'],
    ['「https://e.c/中文/路」', '「', 'https://e.c/中文/路', '」'],
    ['링크: https://e.c/a！', '링크: ', 'https://e.c/a', '！'],
  ])('ends a bare link before CJK punctuation: %s', (markdown, before, url, after) => {
    const link = `<a href="${new URL(url).href}">${url}</a>`;
    expect(paragraph(markdown)).toBe(`${before}${link}${after}`);
  });

  it('keeps CJK punctuation inside an explicit link', () => {
    const link = '<a href="https://e.c/a%EF%BC%8Cb">x</a>';
    expect(paragraph('[x](https://e.c/a，b)')).toBe(link);
    expect(paragraph('[x](<https://e.c/a，b>)')).toBe(link);
  });

  it('breaks lines only in cells, and shows other tags there as text', () => {
    const cell = (text: string) =>
      /<td dir="auto">(.*?)<\/td>/.exec(render(`| h |\n|---|\n| ${text} |`))?.[1];
    expect(cell('a<br/>b<BR />c<br>')).toBe('a<br/>b<br/>c<br/>');
    expect(cell('**一<br>二**')).toBe('<strong>一<br/>二</strong>');
    expect(cell('[a<br>b](https://e.c/)')).toBe('<a href="https://e.c/">a<br/>b</a>');
    expect(cell('<b>a</b><br class="x">`<br>`')).toBe(
      '&lt;b&gt;a&lt;/b&gt;&lt;br class=&quot;x&quot;&gt;<code>&lt;br&gt;</code>',
    );
    expect(paragraph('a<br>b')).toBe('a&lt;br&gt;b');
  });

  it('sets the direction of every list, quote and cell, and shows code left to right', () => {
    const html = render('- א\n  - ב\n\n1. ג\n\n> ד\n\n```\nה\n```\n\n# ו');
    expect(html.match(/<(?:ul|ol|blockquote|h3)[^>]*>/g)).toEqual([
      '<ul dir="auto">',
      '<ul dir="auto">',
      '<ol dir="auto" start="1">',
      '<blockquote dir="auto">',
      '<h3 dir="auto">',
    ]);
    const code = renderToStaticMarkup(createElement(Markdown, { text: '```\nה\n```' }));
    expect(code).toContain('dir="ltr"');
  });
});

describe('footnotes', () => {
  it('numbers notes in text order and lists unused ones last', () => {
    const html = render('a[^x] b[^long-name] c[^x]\n\n[^u]: U\n[^long-name]: L\n[^x]: X\n');
    expect(html).toContain('a<sup><a href="#x">1</a></sup> b<sup><a href="#long-name">2</a></sup>');
    expect(html.match(/<li[^>]*><p>\w/g)?.map((item) => item.slice(-1))).toEqual(['X', 'L', 'U']);
  });

  it('keeps the paragraphs, lists and code of a note', () => {
    const html = render('a[^1]\n\n[^1]: One\n  lazy\n\n    - item\n\n    Two\n\nafter');
    expect(html).toMatch(
      /<p dir="auto">after<\/p><section>.*One\nlazy.*<ul.*item.*Two.*<\/section>/s,
    );
  });

  it('shows a footnote reference as text if it has no note or is in code', () => {
    expect(render('a[^1] `[^2]`\n\n[^2]: two')).toContain('a[^1] <code>[^2]</code>');
  });

  it('finds a note after a list, and inside a list or quote', () => {
    expect(render('- a[^1]\n[^1]: one')).toMatch(/<li>.*<sup>.*<\/ul><section>.*one/s);
    expect(render('- a[^1]\n\n  [^1]: one\n- b')).toMatch(/<li>.*<sup>.*<section>.*one.*<\/ul>/s);
    expect(render('> a[^1]\n>\n> [^1]: one')).toMatch(/<sup>.*<section>.*one.*<\/blockquote>/s);
  });
});

/** CommonMark's emphasis examples with the expected HTML. */
const examples = [
  ...commonMark
    .slice(commonMark.indexOf('## Emphasis and strong'), commonMark.indexOf('\n## Links'))
    .matchAll(/^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}/gm),
].map(([, markdown = '', html = '']) => ({ markdown, html }));

describe('findEmphasis', () => {
  it('renders CommonMark’s emphasis examples as CommonMark does', () => {
    const plain = examples.filter(
      ({ html }) => /^<p>[\s\S]*<\/p>\n$/.test(html) && !/<(?:a|img) /.test(html),
    );
    expect(plain.length).toBeGreaterThan(100);
    for (const { markdown, html } of plain) {
      const ours = render(markdown).replaceAll(' dir="auto"', '');
      expect(`${ours}\n`, markdown).toBe(html.replaceAll('</p>\n<p>', '</p><p>'));
    }
  });

  it('nests spans and stays within the text', () => {
    const marks = ['*', '**', '***', '_', '__', '~~', '~', 'a', ' ', '中', '（', '"', '🎉'];
    const mark = fc.constantFrom(...marks);
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const open: number[] = [];
        for (const [start, { end, width }] of [...findEmphasis(text)].sort(([a], [b]) => a - b)) {
          expect(end - start).toBeGreaterThan(2 * width);
          expect(end).toBeLessThanOrEqual(text.length);
          while (open.length > 0 && (open.at(-1) ?? 0) <= start) open.pop();
          expect(end).toBeLessThanOrEqual(open.at(-1) ?? text.length);
          open.push(end);
        }
      }),
      inputs(800),
    );
  });
});
