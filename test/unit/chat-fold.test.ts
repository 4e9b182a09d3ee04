import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { delta, done, fold, last } from './support/chat-events.ts';
import { body, chunk, comment, finish } from './support/fold-events.ts';

describe('a streamed chat reply', () => {
  it('keeps choices in order, whatever order they come in', () => {
    const text = (index: number, content: string) => ({ index, delta: { content } });
    const { choices } = fold(
      chunk({ choices: [text(7, 'g'), text(2, 'b'), text(4, 'd'), text(2, 'B')] }),
      chunk({ choices: [text(0, 'a'), text(7, 'G'), text(3, 'c')] }),
    );
    expect(choices.map(({ index, content }) => [index, content])).toEqual([
      [0, 'a'],
      [2, 'bB'],
      [3, 'c'],
      [4, 'd'],
      [7, 'gG'],
    ]);
  });

  it('folds what the convention sends', () => {
    const common = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_763_724_000,
      model: 'demo-story',
      system_fingerprint: 'fp_1',
    };
    const piece = (choice: object) => chunk({ ...common, choices: [choice], usage: null });
    const state = fold(
      comment('PROCESSING'),
      piece({ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }),
      piece({ index: 0, delta: { content: 'Hel' }, logprobs: null, finish_reason: null }),
      piece({ index: 0, delta: { content: 'lo' }, finish_reason: null }),
      piece({ index: 0, delta: {}, finish_reason: 'stop' }),
      chunk({
        ...common,
        choices: [],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      }),
      done,
      finish,
    );
    expect(state).toEqual({
      id: 'chatcmpl-1',
      model: 'demo-story',
      created: 1_763_724_000,
      systemFingerprint: 'fp_1',
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      done: true,
      streamed: true,
      warnings: [],
      streamError: null,
      unreadable: false,
      choices: [
        {
          index: 0,
          role: 'assistant',
          content: 'Hello',
          reasoning: '',
          refusal: '',
          toolCalls: [],
          finishReason: 'stop',
        },
      ],
    });
    expect(chatOperation.figures(state)).toEqual({
      model: 'demo-story',
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      finishReasons: ['stop'],
    });
  });

  it('keeps several choices apart and in order, whichever comes first', () => {
    const state = fold(
      chunk({ choices: [{ index: 2, delta: { content: 'c' } }] }),
      chunk({ choices: [{ index: 0, delta: { content: 'a' } }] }),
      chunk({
        choices: [
          { index: 1, delta: { content: 'b' } },
          { index: 0, delta: { content: 'A' } },
        ],
      }),
    );
    expect(state.choices.map(({ index, content }) => [index, content])).toEqual([
      [0, 'aA'],
      [1, 'b'],
      [2, 'c'],
    ]);
  });

  const texts: [string, RunEventBody[], string][] = [
    ['null content', [delta({ content: null }), delta({ content: 'a' })], 'a'],
    [
      'the role repeated',
      [delta({ role: 'assistant', content: 'a' }), delta({ role: 'assistant', content: 'b' })],
      'ab',
    ],
    [
      'content as parts',
      [
        delta({
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        }),
      ],
      'ab',
    ],
    [
      'message in place of delta',
      [chunk({ choices: [{ index: 0, message: { content: 'a' } }] })],
      'a',
    ],
    [
      'no delta beside the finish reason',
      [delta({ content: 'a' }), chunk({ choices: [{ index: 0, finish_reason: 'stop' }] })],
      'a',
    ],
    ['a null delta', [delta({ content: 'a' }), delta(null)], 'a'],
    ['no index', [chunk({ choices: [{ delta: { content: 'a' } }] })], 'a'],
    [
      'empty ids before the real ones',
      [chunk({ id: '', model: '', choices: [] }), delta({ content: 'a' })],
      'a',
    ],
  ];
  it.each(texts)('reads %s without a warning', (_name, events, text) => {
    const state = fold(...events, last('stop'), done, finish);
    expect(state.choices[0]?.content).toBe(text);
    expect(state.warnings).toEqual([]);
  });

  const oddities: [string, RunEventBody[], string][] = [
    ['a number as content', [delta({ content: 42 }), delta({ content: 43 })], '4243'],
    ['a delta that is text', [delta('a')], 'a'],
    ['text as in text completion', [chunk({ choices: [{ index: 0, text: 'a' }] })], 'a'],
    ['choices as an object', [chunk({ choices: { index: 0, delta: { content: 'a' } } })], 'a'],
    ['a chunk that is not JSON', [delta({ content: 'a' }), chunk('<html>'), chunk('oops')], 'a'],
    ['usage that is a number', [delta({ content: 'a' }), chunk({ choices: [], usage: 7 })], 'a'],
    [
      'a part that is not text',
      [delta({ content: ['a', { type: 'image_url', image_url: { url: 'x' } }] })],
      'a',
    ],
  ];
  it.each(oddities)('shows what it can of %s and warns once', (_name, events, text) => {
    const state = fold(...events, last('stop'), done, finish);
    expect(state.choices[0]?.content).toBe(text);
    expect(state.warnings).toHaveLength(1);
  });

  it.each([
    ['reasoning_content', { reasoning_content: 'hm' }],
    ['reasoning', { reasoning: 'hm' }],
    ['both with the same text', { reasoning_content: 'hm', reasoning: 'hm' }],
    [
      'a thinking part',
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
    ],
  ])('keeps reasoning apart: %s', (_name, piece) => {
    const choice = fold(delta(piece), delta({ content: 'yes' })).choices[0];
    expect(choice).toMatchObject({ reasoning: 'hm', content: 'yes' });
  });

  it('keeps a refusal and a finish reason that nobody knows', () => {
    const state = fold(
      delta({ refusal: 'I can' }),
      delta({ refusal: 'not.' }),
      last('tired'),
      done,
    );
    expect(state.choices[0]).toMatchObject({ refusal: 'I cannot.', finishReason: 'tired' });
  });

  it('takes an empty finish reason for none', () => {
    expect(fold(delta({ content: 'a' }), last('')).choices[0]?.finishReason).toBeNull();
  });

  it('keeps the text before an error object and the object itself', () => {
    const error = { message: 'overloaded', type: 'server_error', param: null, code: null };
    const state = fold(delta({ content: 'Hel' }), chunk({ error }), finish);
    expect(state.streamError).toEqual(error);
    expect(state.choices[0]?.content).toBe('Hel');
    expect(state.warnings).toEqual([]);
  });

  it.each([
    ['a text', chunk({ error: 'overloaded' }), { message: 'overloaded' }],
    ['an error frame', chunk({ message: 'overloaded' }, 'error'), { message: 'overloaded' }],
    ['an error frame that is not JSON', chunk('overloaded', 'error'), { message: 'overloaded' }],
  ])('takes %s for an error too', (_name, event, expected) => {
    expect(fold(event).streamError).toEqual(expected);
  });

  it('does not take error: null for an error', () => {
    expect(fold(chunk({ error: null, choices: [] })).streamError).toBeNull();
  });

  it('warns where the stream ends in the middle', () => {
    expect(fold(delta({ content: 'Hel' }), finish).warnings).toEqual([
      'The stream ended without a finish reason or [DONE]. The text may be incomplete.',
    ]);
    expect(fold(finish).warnings).toHaveLength(1);
  });

  it('accepts a stream that has a finish reason and no [DONE]', () => {
    expect(fold(delta({ content: 'a' }), last('stop'), finish).warnings).toEqual([]);
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
});

describe('a chat reply in one document', () => {
  const document = {
    id: 'chatcmpl-2',
    object: 'chat.completion',
    created: 1,
    model: 'demo-tools',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Calling.',
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'sum', arguments: '{}' } },
            { id: 'a', type: 'function', function: { name: 'sum', arguments: '{}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { total_tokens: 5 },
  };

  it('folds to the same kind of state as a stream', () => {
    const state = fold(body(document), finish);
    expect(state).toMatchObject({
      id: 'chatcmpl-2',
      done: true,
      warnings: [],
      usage: { total_tokens: 5 },
    });
    expect(state.choices[0]).toMatchObject({
      content: 'Calling.',
      reasoning: 'hm',
      finishReason: 'tool_calls',
    });
    expect(state.choices[0]?.toolCalls).toHaveLength(2);
  });

  it('keeps the error object of a reply without choices', () => {
    expect(fold(body({ error: { message: 'no such model' } })).streamError).toEqual({
      message: 'no such model',
    });
  });

  it('is unreadable where its end is missing, which the error of the run explains', () => {
    const { unreadable, warnings } = fold(body('{"choices":[', true));
    expect(unreadable).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('says that a document without choices held none', () => {
    expect(fold(body({ ok: true }), finish).warnings).toEqual(['The response has no choices.']);
  });
});

describe('one event of a stream', () => {
  const piece = (content: string) =>
    JSON.stringify({ choices: [{ index: 0, delta: { content } }] });

  it.each([
    ['on two lines', `${piece('a{"')}\n${piece('b}')}`],
    ['on one line', `${piece('a{"')}${piece('b}')}`],
    ['with the name of the field between them', `${piece('a{"')}data: ${piece('b}')}`],
  ])('may hold two pieces %s', (_name, data) => {
    expect(fold(chunk(data))).toMatchObject({ choices: [{ content: 'a{"b}' }], warnings: [] });
  });

  it('may hold the last piece and the end mark', () => {
    const state = fold(chunk(`${piece('a')}\n[DONE]`), finish);
    expect(state).toMatchObject({ choices: [{ content: 'a' }], done: true, warnings: [] });
  });
});
