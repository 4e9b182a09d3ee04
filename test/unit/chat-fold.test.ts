import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { delta, done, fold, last } from './support/chat-events.ts';
import { body, chunk, comment, finish } from './support/fold-events.ts';

describe('a streamed chat reply', () => {
  it('keeps choices in order, whatever order they arrive in', () => {
    const text = (index: number, content: string) => ({ index, delta: { content } });
    const { choices } = fold(
      chunk({ choices: [text(7, 'g'), text(2, 'b'), text(4, 'd'), text(2, 'B')] }),
      chunk({ choices: [text(0, 'a'), text(7, 'G'), text(3, 'c')] }),
    );
    const sorted = choices.map(({ index, content }) => `${index} ${content}`);
    expect(sorted).toEqual(['0 a', '2 bB', '3 c', '4 d', '7 gG']);
  });

  it('folds events in the documented format', () => {
    const common = { id: 'chatcmpl-1', created: 1_763_724_000, model: 'demo-story' };
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const piece = (delta: object, finish_reason: string | null = null) =>
      chunk({
        ...common,
        object: 'chat.completion.chunk',
        system_fingerprint: 'fp_1',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
        usage: null,
      });
    const state = fold(
      comment('PROCESSING'),
      piece({ role: 'assistant', content: '' }),
      piece({ content: 'Hel' }),
      piece({ content: 'lo' }),
      piece({}, 'stop'),
      chunk({ ...common, choices: [], usage }),
      done,
      finish,
    );
    const answer = { index: 0, role: 'assistant', content: 'Hello', reasoning: '', refusal: '' };
    expect(state).toMatchObject({
      ...common,
      systemFingerprint: 'fp_1',
      usage,
      done: true,
      streamed: true,
      warnings: [],
      streamError: null,
      unreadable: false,
      choices: [{ ...answer, toolCalls: [], finishReason: 'stop' }],
    });
    const figures = { model: 'demo-story', usage, finishReasons: ['stop'] };
    expect(chatOperation.figures(state)).toEqual(figures);
  });
});

const choose = (choice: object) => chunk({ choices: [{ index: 0, ...choice }] });
const a = delta({ content: 'a' });
const texts: [string, RunEventBody[], string][] = [
  ['null content', [delta({ content: null }), a], 'a'],
  [
    'the role repeated',
    [delta({ role: 'assistant', content: 'a' }), delta({ role: 'assistant', content: 'b' })],
    'ab',
  ],
  ['text parts', [delta({ content: ['a', 'b'].map((text) => ({ type: 'text', text })) })], 'ab'],
  ['message in place of delta', [choose({ message: { content: 'a' } })], 'a'],
  ['no delta beside the finish reason', [a, choose({ finish_reason: 'stop' })], 'a'],
  ['a null delta', [a, delta(null)], 'a'],
  ['no index', [chunk({ choices: [{ delta: { content: 'a' } }] })], 'a'],
  ['empty ids before the real ones', [chunk({ id: '', model: '', choices: [] }), a], 'a'],
];
it.each(texts)('reads %s without a warning', (_name, events, text) => {
  const state = fold(...events, last('stop'), done, finish);
  expect(state.choices[0]?.content).toBe(text);
  expect(state.warnings).toEqual([]);
});

it.each([1e308, 2 ** 53 + 2, -1, 0.5])('takes the place of a choice for its index %s', (index) => {
  const state = fold(chunk({ choices: [{ index, delta: { content: 'a' } }] }), finish);
  expect(state.choices).toMatchObject([{ index: 0, content: 'a' }]);
});

const oddities: [string, RunEventBody[], string][] = [
  ['a number as content', [delta({ content: 42 }), delta({ content: 43 })], '4243'],
  ['a delta that is text', [delta('a')], 'a'],
  ['text as in text completion', [choose({ text: 'a' })], 'a'],
  ['choices as an object', [chunk({ choices: { index: 0, delta: { content: 'a' } } })], 'a'],
  ['a chunk that is not JSON', [a, chunk('<html>'), chunk('oops')], 'a'],
  ['usage that is a number', [a, chunk({ choices: [], usage: 7 })], 'a'],
  [
    'a part that is not text',
    [delta({ content: ['a', { type: 'image_url', image_url: { url: 'x' } }] })],
    'a',
  ],
];
it.each(oddities)('shows the readable part of %s and warns once', (_name, events, text) => {
  const state = fold(...events, last('stop'), done, finish);
  expect(state.choices[0]?.content).toBe(text);
  expect(state.warnings).toHaveLength(1);
});

it.each([
  ['reasoning_content', { reasoning_content: 'hm' }],
  ['reasoning', { reasoning: 'hm' }],
  ['thinking', { thinking: 'hm' }],
  ['an opaque part beside it', { reasoning_text: 'hm', reasoning_opaque: 'QUJD' }],
  ['both with the same text', { reasoning_content: 'hm', reasoning: 'hm' }],
  [
    'a part with text',
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
  ],
])('separates reasoning: %s', (_name, piece) => {
  const choice = fold(delta(piece), delta({ content: 'yes' })).choices[0];
  expect(choice).toMatchObject({ reasoning: 'hm', content: 'yes', isEncrypted: false });
});

it.each([
  ['reasoning_opaque', { reasoning_opaque: 'QUJD' }],
  ['reasoning_details', { reasoning_details: [{ type: 'reasoning.encrypted', data: 'QUJD' }] }],
  ['a part', { content: [{ type: 'redacted_thinking', data: 'QUJD' }] }],
])('detects encrypted reasoning: %s', (_name, piece) => {
  const [choice] = fold(delta(piece), delta({ content: 'yes' })).choices;
  expect(choice).toMatchObject({ reasoning: '', content: 'yes', isEncrypted: true });
});

it('keeps a refusal and an unknown finish reason', () => {
  const pieces = [delta({ refusal: 'I can' }), delta({ refusal: 'not.' })];
  const state = fold(...pieces, last('tired'), done);
  expect(state.choices[0]).toMatchObject({ refusal: 'I cannot.', finishReason: 'tired' });
  expect(fold(last('')).choices[0]?.finishReason).toBeNull();
});

it('keeps the text before an error object and the object itself', () => {
  const error = { message: 'overloaded', type: 'server_error', param: null, code: null };
  const state = fold(delta({ content: 'Hel' }), chunk({ error }), finish);
  expect(state).toMatchObject({ streamError: error, choices: [{ content: 'Hel' }], warnings: [] });
});

it.each([
  ['text', chunk({ error: 'overloaded' }), { message: 'overloaded' }],
  ['an error event', chunk({ message: 'overloaded' }, 'error'), { message: 'overloaded' }],
  ['an error event that is not JSON', chunk('overloaded', 'error'), { message: 'overloaded' }],
  ['error: null', chunk({ error: null, choices: [] }), null],
  ['an empty error', chunk({ error: {}, choices: [] }), null],
  ['a code of 0', chunk({ error: { code: 0, message: '' }, choices: [] }), null],
])('reads the error from %s', (_name, event, expected) => {
  expect(fold(event).streamError).toEqual(expected);
});

it('warns if the stream ends without a finish reason or [DONE]', () => {
  expect(fold(delta({ content: 'Hel' }), finish).warnings).toEqual([
    'The stream ended without a finish reason or [DONE]. The text may be incomplete.',
  ]);
  expect(fold(finish).warnings).toHaveLength(1);
  expect(fold(a, last('stop'), finish).warnings).toEqual([]);
});

it('drops a count of a wrong type and keeps the rest of the usage', () => {
  const usage = {
    prompt_tokens: 'three',
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: true, text_tokens: 3 },
    completion_tokens_details: [],
    cost: 0.01,
  };
  expect(fold(chunk({ choices: [], usage })).usage).toEqual({
    prompt_tokens: null,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: null, text_tokens: 3 },
    completion_tokens_details: null,
    cost: 0.01,
  });
});

describe('a chat response in one document', () => {
  const call = { id: 'a', type: 'function', function: { name: 'sum', arguments: '{}' } };

  it('reads text, reasoning, calls and usage', () => {
    const message = {
      role: 'assistant',
      content: 'Calling.',
      reasoning_content: 'hm',
      tool_calls: [call, call],
    };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    const usage = { total_tokens: 5 };
    const state = fold(body({ id: 'chatcmpl-2', created: 1, choices, usage }), finish);
    expect(state).toMatchObject({ id: 'chatcmpl-2', done: true, warnings: [], usage });
    const toolCalls = [{ name: 'sum' }, { name: 'sum' }];
    const expected = { content: 'Calling.', reasoning: 'hm', finishReason: 'tool_calls' };
    expect(state.choices).toMatchObject([{ ...expected, toolCalls }]);
  });

  it('keeps the error object of a response that has no choices', () => {
    const error = { message: 'no such model' };
    expect(fold(body({ error })).streamError).toEqual(error);
  });

  it('marks a cut document as unreadable without a warning', () => {
    const state = fold(body('{"choices":[', true));
    expect(state).toMatchObject({ unreadable: true, warnings: [] });
  });

  it('warns about a document without choices', () => {
    expect(fold(body({ ok: true }), finish).warnings).toEqual(['The response has no choices.']);
  });
});

describe('one event of a stream', () => {
  const piece = (content: string) =>
    JSON.stringify({ choices: [{ index: 0, delta: { content } }] });

  it.each([
    ['on two lines', `${piece('a{"')}\n${piece('b}')}`, false],
    ['on one line', `${piece('a{"')}${piece('b}')}`, false],
    ['with the field name between', `${piece('a{"')}data: ${piece('b}')}`, false],
    ['and the end mark', `${piece('a{"')}\n${piece('b}')}\n[DONE]`, true],
  ])('splits two chunks %s', (_name, data, isDone) => {
    const state = fold(chunk(data), ...(isDone ? [finish] : []));
    expect(state).toMatchObject({ choices: [{ content: 'a{"b}' }], done: isDone, warnings: [] });
  });
});
