import { expect, it } from 'vitest';
import { pieceOf } from '../../renderer/features/inspector/events/frame-rows.ts';

it.each([
  ['{"choices":[{"text":" gate\\n"}]}', ' gate\\n'],
  ['{"choices":[{"delta":{"role":"assistant","content":"Hi"}}]}', 'Hi'],
  ['{"choices":[{"delta":{"reasoning_content":"Hm"}}]}', 'Hm'],
  ['{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{\\"a\\""}}]}}]}', '{\\"a\\"'],
  ['{"choices":[{"delta":{},"finish_reason":"stop"}]}', 'finish: stop'],
  ['{"choices":[],"usage":{"total_tokens":3}}', 'usage'],
  ['{"error":{"message":"no"}}', 'error'],
  ['{"choices":[{"delta":{"content":null}}]}', null],
  ['[DONE]', null],
  ['{"cut', null],
])('tells of %s what it brings', (data, piece) => {
  expect(pieceOf(data)).toBe(piece);
});
