import { readFileSync } from 'node:fs';
import commonMark from 'commonmark-spec/spec.txt?raw';
import fc from 'fast-check';
import { Lexer, type MarkedToken, type Token } from 'marked';
import { expect, it } from 'vitest';
import { type Block, joinCode, listGroups } from '../../renderer/ui/markdown/block.ts';
import { appendText, emptyDocument, show } from '../../renderer/ui/markdown/document.ts';
import { splitParagraph } from '../../renderer/ui/markdown/paragraph-runs.ts';
import { inputs, piecesOf } from '../fixtures/property.ts';

const github = readFileSync('test/fixtures/gfm-examples.txt', 'utf8');

type Example = { name: string; markdown: string };

function examplesOf(specification: string, from: string): Example[] {
  const examples = specification.matchAll(/^`{32} example[^\n]*\n([\s\S]*?)^\.\n/gm);
  return [...examples].map(([, markdown = ''], at) => ({
    name: `${from} ${at + 1}`,
    markdown: markdown.replaceAll('→', '\t'),
  }));
}

const examples = [...examplesOf(commonMark, 'CommonMark'), ...examplesOf(github, 'GFM')];

/** Examples that Gatehouse reads differently on purpose. */
const DIFFERENT = new Set([
  // Gatehouse shows HTML as text, so it ends at a blank line or a fence.
  ...[161, 169, 170, 171, 172, 173, 179, 180, 182].map((number) => `CommonMark ${number}`),
  // A link definition directly above an underline.
  'CommonMark 216',
]);

/** Blocks as comparable values: kinds, texts and nesting. */
type Found = (string | number | Found)[];

const words = (text: string) =>
  text
    .replace(/^\[[ x]\] /, '')
    .trim()
    .replace(/[ \t]*\n[ \t]*/g, '\n');
const code = (text: string): Found => ['code', text.replace(/\n+$/, '')];

function blocksOf(text: string): Block[] {
  return listGroups(show(appendText(emptyDocument, text), text, false).blocks).flat();
}

function ours(text: string): Found[] {
  return blocksOf(text).flatMap((block): Found[] => {
    switch (block.kind) {
      case 'leaf':
        return theirs(new Lexer().blockTokens(block.raw, []));
      case 'code':
        return [code(joinCode(block))];
      case 'table':
        return [['table', listGroups(block.rows).flat().length]];
      case 'quote':
        return [['quote', ...ours(block.text)]];
      case 'list': {
        const items = [...listGroups(block.items).flat(), block.current];
        return [['list', block.ordered ? block.start : '-', ...items.map(ours)]];
      }
      default:
        return [];
    }
  });
}

function theirs(tokens: readonly Token[]): Found[] {
  return (tokens as MarkedToken[]).flatMap((token): Found[] => {
    switch (token.type) {
      case 'space':
      case 'def':
      case 'checkbox':
        return [];
      case 'heading':
        return [['heading', token.depth, words(token.text)]];
      case 'paragraph':
      case 'text':
        return [['paragraph', words(token.text)]];
      case 'html':
        return [['html', token.raw.trim()]];
      case 'code':
        return [code(token.text)];
      case 'table':
        return [['table', token.rows.length]];
      case 'blockquote':
        return [['quote', ...theirs(token.tokens)]];
      case 'list':
        return [readList(token.ordered ? Number(token.start) : '-', token.items)];
      default:
        return [[token.type]];
    }
  });
}

function readList(start: string | number, items: readonly { tokens: Token[] }[]): Found {
  return ['list', start, ...items.map(({ tokens }) => theirs(tokens))];
}

it('finds the same blocks as marked in all examples of CommonMark and GFM', () => {
  expect(examples.length).toBe(652 + 24);
  const differing = examples.filter(
    ({ markdown }) =>
      JSON.stringify(ours(markdown)) !== JSON.stringify(theirs(new Lexer().lex(markdown))),
  );
  expect(differing.map(({ name }) => name)).toEqual([...DIFFERENT]);
});

/** Joins whole examples, or single lines of them in any order. */
const texts = examples.map(({ markdown }) => markdown);
const lines = new Set(texts.flatMap((text) => text.split('\n')));
const document = fc.oneof(
  fc.array(fc.constantFrom(...texts), { maxLength: 4 }),
  fc.array(fc.constantFrom(...lines), { maxLength: 14 }),
);
const streamed = fc
  .tuple(document, fc.constantFrom('\n', '\r\n'))
  .map(([parts, lineEnd]) => parts.join('\n').replaceAll('\n', lineEnd))
  .chain(piecesOf);

it('finds the same blocks in any chunks, and keeps finished ones', () => {
  fc.assert(
    fc.property(streamed, (pieces) => {
      let text = '';
      let streaming = emptyDocument;
      for (const piece of pieces) {
        text += piece;
        const next = appendText(streaming, text);
        for (const [at, group] of streaming.blocks.groups.entries()) {
          expect(next.blocks.groups[at]).toBe(group);
        }
        streaming = next;
        show(streaming, text, true);
      }
      const whole = show(appendText(emptyDocument, text), text, false);
      expect(show(streaming, text, false)).toEqual(whole);
    }),
    inputs(800),
  );
});

it('loses no letter of the text', () => {
  const lines = [
    'a1',
    '- b2',
    '> c3',
    '  d4',
    '    e5',
    '```',
    '1. f6',
    '# g7',
    '',
    '\th8',
    '>\ti9',
  ];
  const line = fc.constantFrom(...lines, '- > j');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), (chosen) => {
      const text = chosen.join('\n');
      const seen = JSON.stringify(ours(text));
      for (const [said] of text.replaceAll('```', '').matchAll(/[a-z]\d?/g))
        expect(seen).toContain(said);
    }),
    inputs(800),
  );
});

it('splits a growing paragraph at stable places', () => {
  const word = fc.constantFrom(
    ...['word ', 'more words ', '**', '`', '[', '](', ')', '\n', '😀', 'x'.repeat(700)],
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 10, maxLength: 60 }), fc.nat(), (parts, cut) => {
      const text = parts.join('');
      const whole = splitParagraph(text);
      expect(whole.join('')).toBe(text);
      const earlier = splitParagraph(text.slice(0, cut % text.length));
      expect(whole.slice(0, earlier.length - 1)).toEqual(earlier.slice(0, -1));
    }),
    inputs(300),
  );
});
