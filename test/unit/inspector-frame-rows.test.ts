import { expect, it } from 'vitest';
import {
  filterRows,
  getDelta,
  getFrameRows,
  getPiece,
} from '../../renderer/features/inspector/events/frame-rows.ts';
import type { RunEvent } from '../../shared/run.ts';

const chunk = (seq: number, atMs: number, data: string) =>
  ({ kind: 'chunk', seq, atMs, exchange: 0, data, event: null, comment: false }) as const;
const events: RunEvent[] = [
  { kind: 'response', seq: 2, atMs: 5, exchange: 0, status: 200, headers: [] },
  chunk(3, 10, '{"text":"Hello"}'),
  { ...chunk(4, 25, 'PROCESSING'), comment: true },
  { ...chunk(5, 26, '[DONE]'), event: 'end' },
];

it('measures time since the start and the previous event', () => {
  expect(getFrameRows(events)).toEqual([
    { number: 1, seq: 3, atMs: 10, gapMs: null, label: '', data: '{"text":"Hello"}' },
    { number: 2, seq: 4, atMs: 25, gapMs: 15, label: 'comment', data: 'PROCESSING' },
    { number: 3, seq: 5, atMs: 26, gapMs: 1, label: 'end', data: '[DONE]' },
  ]);
});

it('filters by text or label, and keeps the original gaps', () => {
  const rows = getFrameRows(events);
  expect(filterRows(rows, 'hello').map(({ seq }) => seq)).toEqual([3]);
  expect(filterRows(rows, 'comment')).toEqual([rows[1]]);
  expect(filterRows(rows, ' ')).toBe(rows);
});
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
])('shows the content of %s', (data, piece) => {
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
])('removes the wrapper of %j', (frame, delta) => {
  expect(getDelta(frame)).toEqual(delta);
});
