import { expect, test } from 'vitest';
import { deriveTitle } from '../../electron/conversations/store/conversation-rows.ts';

test.each([
  ['a short line as it is', 'Hello there', 'Hello there'],
  ['the first line that has text', '\n \n  First   line \nSecond', 'First line'],
  [
    'a long line cut at a word',
    'Explain how a gateway balances load across providers without losing requests',
    'Explain how a gateway balances load across providers…',
  ],
  ['a long word cut inside', 'x'.repeat(80), `${'x'.repeat(59)}…`],
  ['no half characters', '😀'.repeat(80), `${'😀'.repeat(59)}…`],
  ['a heading', '## Plan for **today**', 'Plan for today'],
  ['a list', '- [the docs](https://example.com) and `code`', 'the docs and code'],
  ['what follows a fence', '```js\nconst a = 2 * b * c;', 'const a = 2 * b * c;'],
  ['a quote', '> 1. *really* new_names_stay', 'really new_names_stay'],
  ['underscores inside a word', 'call foo__bar__baz on __init__', 'call foo__bar__baz on init'],
  ['a link that goes on', `See [the log](https://example.com/${'x'.repeat(900)})`, 'See the log'],
  ['a name for nothing', ' \n ', 'New conversation'],
])('derives the title from %s', (_name, text, title) => {
  expect(deriveTitle(text)).toBe(title);
});

test.each([
  ['a long line', `${'**a, '.repeat(80)}${'b'.repeat(5_000_000)}`, deriveTitle('**a, '.repeat(80))],
  ['a run of backticks', `${'`'.repeat(5_000_000)}End`, deriveTitle('`'.repeat(400))],
  ['many lines without text', `${'---\n'.repeat(1_000_000)}End`, 'New conversation'],
])('reads only the beginning of %s', (_name, text, title) => {
  expect(deriveTitle(text)).toBe(title);
});

test('checks only the first lines', () => {
  expect(deriveTitle(`${'---\n'.repeat(19)}${'- '.repeat(100)}End`)).toBe('End');
});
