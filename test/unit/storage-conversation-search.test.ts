import { expect, test } from 'vitest';
import { createExcerpt } from '../../electron/storage/search/conversation-search.ts';

const before = 'one two three four five six seven eight nine ten eleven twelve';

test.each([
  ['the whole of a short text', 'a needle here', 'a needle here'],
  ['words before the match', `${before} needle`, '…six seven eight nine ten eleven twelve needle'],
  ['words behind the match', `needle ${before}`, 'needle one two three four five six seven…'],
  ['one line', 'a\n\n needle\tb', 'a needle b'],
  ['another case', 'a NEEDLE here', 'a NEEDLE here'],
])('shows %s', (_name, text, expected) => {
  expect(createExcerpt(text, 'needle')).toBe(expected);
});
