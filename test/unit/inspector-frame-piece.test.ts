import { expect, it } from 'vitest';
import { getDelta, getPiece } from '../../renderer/features/inspector/events/frame-rows.ts';

it.each([
  ['{"choices":[{"text":" gate\\n"}]}', ' gate\\n'],
  ['{"choices":[{"delta":{"role":"assistant","content":"Hi"}}]}', 'Hi'],
  ['{"choices":[{"delta":{"reasoning_content":"Hm"}}]}', 'Hm'],
  ['{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{\\"a\\""}}]}}]}', '{\\"a\\"'],
  ['{"choices":[{"delta":{},"finish_reason":"stop"}]}', 'finish: stop'],
  ['{"choices":[{"delta":{"role":"assistant","content":""}}]}', 'role: assistant'],
  ['{"choices":[],"usage":{"prompt_tokens":2,"total_tokens":3}}', 'usage: 2 in, 3 total'],
  ['{"choices":[],"usage":{}}', 'usage'],
  ['{"error":{"message":"no"}}', 'error: no'],
  ['{"error":{}}', 'error'],
  ['{"choices":[{"delta":{"content":null}}]}', null],
  ['[DONE]', null],
  ['{"cut', null],
])('shows of %s what it brings', (data, piece) => {
  expect(getPiece(data)).toBe(piece);
});

const first = { index: 0, delta: { content: 'Hi' }, logprobs: null };
const second = { index: 1, text: ' gate', finish_reason: 'stop' };
const several = { choices: [{ delta: { content: 'a' } }, { index: 1, delta: { content: 'b' } }] };
it.each([
  [{ id: 'c-1', object: 'chunk', choices: [first] }, { delta: { content: 'Hi' } }],
  [{ id: 'c-1', choices: [second], usage: null }, second],
  [several, several],
  [{ id: 'c-1', choices: [], usage: { total_tokens: 3 } }, { usage: { total_tokens: 3 } }],
  [{ error: { message: 'no' } }, { error: { message: 'no' } }],
  [{ candidates: [] }, null],
  ['text', null],
  [undefined, null],
])('removes the envelope of %j', (frame, delta) => {
  expect(getDelta(frame)).toEqual(delta);
});
