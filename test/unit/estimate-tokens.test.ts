import { expect, it } from 'vitest';
import { estimateTokens } from '../../shared/estimate-tokens.ts';

it.each([
  ['', 0],
  ['four char chunks', 4],
  ['你好世界', 4],
  ['こんにちは', 5],
  ['안녕 you!', 2 + 5 / 4],
])('estimates the tokens of %j', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
