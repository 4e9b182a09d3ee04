import { Lexer } from 'marked';
import { expect, it } from 'vitest';
import { isPlainText } from '../../renderer/ui/markdown/inline.tsx';

/** What `marked` makes of it, where that is words alone. */
function wordsOf(text: string): string | null {
  const [token, ...others] = new Lexer().inlineTokens(text);
  return others.length === 0 && token?.type === 'text' ? token.raw : null;
}

it.each([
  'Plain words, with signs: (one) "two" – three… 4 + 5 = 9; a/b, #6, $7, 8 % of it?',
  'Straße, 城门楼, naïve — and an emoji 🎉',
  'http and www without an address',
  "It's 10:30, e.g. today",
])('needs no lexer: %s', (text) => {
  expect(isPlainText(text)).toBe(true);
  expect(wordsOf(text)).toBe(text);
});

it.each([
  ...['**bold**', 'snake_case', '`code`', '~~gone~~', '[link](https://x.y)', '![image](x)', '<b>'],
  ...[
    'Q&amp;A',
    'a\\*b',
    'mail a@b.example',
    'see https://x.example',
    'see WWW.x.example',
    'two\nlines',
  ],
])('leaves to the lexer: %s', (text) => {
  expect(isPlainText(text)).toBe(false);
});
