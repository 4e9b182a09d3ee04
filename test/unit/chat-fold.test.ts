import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { RunEventBody } from '../../shared/run.ts';
import {
  body,
  chunk,
  comment,
  finish,
  foldAll,
  numbered,
  randomReply,
  seededRandom,
  splitAnyhow,
} from './support/fold-events.ts';

const fold = (...events: RunEventBody[]): ChatState => foldAll(chatOperation, events);
const delta = (piece: unknown, more: object = {}) =>
  chunk({ choices: [{ index: 0, delta: piece, finish_reason: null, ...more }] });
const last = (reason: unknown) =>
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
const done = chunk('[DONE]');

describe('a streamed chat reply', () => {
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

describe('streamed tool calls', () => {
  const call = (...items: unknown[]) => delta({ tool_calls: items });
  const begin = (
    index: number | undefined,
    id: string | undefined,
    name: string,
    args: unknown = '',
  ) => ({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name, arguments: args },
  });
  const more = (index: number | undefined, args: unknown) => ({
    ...(index === undefined ? {} : { index }),
    function: { arguments: args },
  });
  const callsOf = (...events: RunEventBody[]) =>
    fold(...events).choices[0]?.toolCalls.map(({ id, name, arguments: text }) => [id, name, text]);

  it('gives a fragment to the call of its index, though a call without one came between', () => {
    const calls = callsOf(
      call({ index: 0, id: 'a', function: { name: 'weather', arguments: '{"city":"Par' } }),
      call({ id: 'b', function: { name: 'time', arguments: '{}' } }),
      call(more(0, 'is"}')),
    );
    expect(calls).toEqual([
      ['a', 'weather', '{"city":"Paris"}'],
      ['b', 'time', '{}'],
    ]);
  });

  it('joins fragments by index, also when they alternate', () => {
    expect(
      callsOf(
        call(begin(0, 'a', 'sum')),
        call(begin(1, 'b', 'sum')),
        call(more(0, '{"x"')),
        call(more(1, '{"y"'), more(0, ':1}')),
        call(more(1, ':2}')),
      ),
    ).toEqual([
      ['a', 'sum', '{"x":1}'],
      ['b', 'sum', '{"y":2}'],
    ]);
  });

  it('joins fragments without an index to the call before', () => {
    expect(
      callsOf(
        call(begin(undefined, 'a', 'sum')),
        call(more(undefined, '{"x":')),
        call(more(undefined, '1}')),
        call(begin(undefined, 'b', 'sum')),
        call(more(undefined, '{}')),
      ),
    ).toEqual([
      ['a', 'sum', '{"x":1}'],
      ['b', 'sum', '{}'],
    ]);
  });

  it('keeps calls apart that share an index but not an id, and warns', () => {
    const events = [
      call(begin(0, 'a', 'sum', '{"x":1}')),
      call(begin(0, 'b', 'sum', '{"y"')),
      call(more(0, ':2}')),
    ];
    expect(callsOf(...events)).toEqual([
      ['a', 'sum', '{"x":1}'],
      ['b', 'sum', '{"y":2}'],
    ]);
    expect(fold(...events).warnings).toHaveLength(1);
  });

  it('keeps whole calls apart that have neither id nor index', () => {
    expect(
      callsOf(
        call(
          begin(undefined, undefined, 'sum', '{"x":1}'),
          begin(undefined, undefined, 'sum', '{"x":2}'),
        ),
      ),
    ).toEqual([
      ['', 'sum', '{"x":1}'],
      ['', 'sum', '{"x":2}'],
    ]);
  });

  it('continues a call whose id and name are repeated in each fragment', () => {
    expect(callsOf(call(begin(0, 'a', 'sum', '{"x"')), call(begin(0, 'a', 'sum', ':1}')))).toEqual([
      ['a', 'sum', '{"x":1}'],
    ]);
  });

  it('takes an id that comes late', () => {
    expect(
      callsOf(
        call(begin(0, undefined, 'sum', '{')),
        call({ index: 0, id: 'a', function: { arguments: '}' } }),
      ),
    ).toEqual([['a', 'sum', '{}']]);
  });

  it('joins a name that comes in pieces', () => {
    expect(
      callsOf(call(begin(0, 'a', 'get_')), call({ index: 0, function: { name: 'weather' } })),
    ).toEqual([['a', 'get_weather', '']]);
  });

  it('writes arguments that came as an object as JSON, and warns', () => {
    const events = [call(begin(0, 'a', 'sum', { x: 1 }))];
    expect(callsOf(...events)).toEqual([['a', 'sum', '{"x":1}']]);
    expect(fold(...events).warnings).toEqual(['The arguments of a tool call are not text.']);
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

  it('says that a reply too long to be kept could not be read', () => {
    expect(fold(body('{"choices":[{"mess', true)).warnings).toHaveLength(1);
  });

  it('says that a document without choices held none', () => {
    expect(fold(body({ ok: true }), finish).warnings).toEqual(['The response has no choices.']);
  });
});

describe('the chat fold', () => {
  const text = 'Über 🦊\nline \\"quoted\\" 日本 end';
  const args = JSON.stringify({ path: 'C:\\x', emoji: '🦊', list: [1, 2, { a: null }] });

  it('folds one answer to the same state however it is cut into deltas', () => {
    const whole = fold(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: text }),
      delta({ content: text }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: args } }] }),
      last('tool_calls'),
      done,
    );
    const random = seededRandom(1);
    for (let round = 0; round < 200; round += 1) {
      const cut = (value: string) => splitAnyhow(value, random, 1 + Math.floor(random() * 12));
      const state = fold(
        delta({ role: 'assistant', content: '' }),
        ...cut(text).map((piece) => delta({ reasoning_content: piece })),
        ...cut(text).map((piece) => delta({ content: piece })),
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }),
        ...cut(args).map((piece) =>
          delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
        ),
        last('tool_calls'),
        done,
      );
      expect(state).toEqual(whole);
    }
  });

  it('never throws and always answers JSON, whatever JSON comes', () => {
    const random = seededRandom(2);
    for (let round = 0; round < 3000; round += 1) {
      const reply = randomReply(random);
      const choice = {
        index: 0,
        delta: randomReply(random),
        finish_reason: randomReply(random, 1),
      };
      const events = [
        chunk(reply),
        chunk({ choices: [choice], usage: randomReply(random) }),
        body(reply),
        finish,
      ];
      const state = fold(...events);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    }
  });

  it('survives JSON nested deeper than the stack', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const state = chatOperation.fold(
      chatOperation.initialState,
      numbered(
        chunk(
          `{"choices":[{"index":0,"delta":{"content":${`{"a":${deep}}`},"tool_calls":[{"function":{"arguments":${deep}}}]}}]}`,
        ),
        1,
      ),
    );
    expect(state.warnings.length).toBeGreaterThan(0);
  });

  it('answers the same state for what changes nothing, and shares what it did not touch', () => {
    const before = fold(
      chunk({ choices: [{ index: 0, delta: { content: 'a' } }] }),
      chunk({ choices: [{ index: 1, delta: { content: 'b' } }] }),
    );
    const folded = (event: RunEventBody) => chatOperation.fold(before, numbered(event, 3));
    expect(folded(comment('PING'))).toBe(before);
    expect(folded(delta({ content: '' }))).toBe(before);
    expect(folded({ kind: 'response', exchange: 0, status: 200, headers: [] })).toBe(before);
    expect(folded(delta({ content: 'x' })).choices[1]).toBe(before.choices[1]);
  });

  it.each([
    ['text', { content: 'a' }, true],
    ['reasoning', { reasoning: 'a' }, true],
    ['a refusal', { refusal: 'a' }, true],
    ['call arguments', { tool_calls: [{ index: 0, function: { arguments: '{' } }] }, true],
    ['only a role', { role: 'assistant', content: '' }, false],
    ['nothing', {}, false],
  ])('detects whether output came: %s', (_name, piece, expected) => {
    const before = chatOperation.initialState;
    const after = chatOperation.fold(before, numbered(delta(piece), 1));
    expect(chatOperation.produced(before, after)).toBe(expected);
  });

  it('does not count a finish reason or usage as output', () => {
    const before = fold(delta({ content: 'a' }));
    const after = chatOperation.fold(before, numbered(last('stop'), 2));
    expect(chatOperation.produced(before, after)).toBe(false);
  });
});

describe('the preview of a chat request', () => {
  const preview = (content: string) =>
    chatOperation.preview({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content },
        { role: 'assistant', content: 'Well' },
      ],
    });

  it('is the last user message, on one line', () => {
    expect(preview('  two\n\nlines ')).toBe('two lines');
  });

  it('is at most 120 characters long, never half an emoji', () => {
    const line = preview('🦊'.repeat(500));
    expect(Array.from(line)).toHaveLength(120);
    expect(line).toBe(`${'🦊'.repeat(119)}…`);
  });
});
