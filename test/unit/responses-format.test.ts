import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { readSources } from '../../shared/operations/chat/sources.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import { readTokens } from '../../shared/operations/response/token-probabilities.ts';
import { getTokenCounts } from '../../shared/operations/response/usage.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { openFormat, user } from './support/chat-format.ts';
import { body, chunk, finish } from './support/fold-events.ts';
import {
  added,
  call,
  complete,
  customCall,
  done,
  ending,
  endWith,
  event,
  inContent,
  MODEL,
  message,
  output,
  outputText,
  piece,
  reasoning,
  response,
  stream,
} from './support/responses-events.ts';

const { sendMessages, rest, fold, getChoice, repeat, view } = openFormat('responses', MODEL);
const isItemEvent = (one: RunEventBody) =>
  one.kind === 'chunk' && one.event?.startsWith('response.output_item') === true;

/** Some gateways omit events that other gateways send. */
const streams: [string, RunEventBody[]][] = [
  ['streamed', [...stream, ending]],
  ['in one body', [body(complete(output))]],
  ['only in the last event', [ending]],
  ['as items', [...output.map((item, at) => done(at, item)), ending]],
  ['without events of items', [...stream.filter((one) => !isItemEvent(one)), ending]],
  ['without an output at the end', [...stream, endWith([])]],
  [
    'with items that are whole from the start',
    [...output.flatMap((item, at) => [added(at, item), done(at, item)]), ending],
  ],
  ['with [DONE] after the end', [...stream, ending, chunk('[DONE]')]],
];

describe('a response in the Responses format', () => {
  it.each(streams)('shows reasoning, text and calls, %s', (_name, events) => {
    const state = fold(...events, finish);
    const known = { id: 'resp_1', model: MODEL, created: 1700000000 };
    expect(state).toMatchObject({ ...known, done: true, warnings: [], other: {} });
    expect(view(state)).toMatchObject({
      content: 'I look it up.',
      reasoning: 'Two and two.\n\nFour.',
      isEncrypted: true,
      toolCalls: [
        { id: 'call_1', name: 'find', arguments: '{"q":"gate"}' },
        { id: 'call_2', name: 'sql', arguments: 'SELECT 1' },
      ],
      otherFields: {},
      warnings: [],
    });
    expect(getChoice(state).finishReason).toBe('completed');
    const counts = {
      input: 40,
      cached: 30,
      written: null,
      writtenForHour: null,
      output: 25,
      reasoning: 9,
      total: 65,
    };
    expect(getTokenCounts(state.usage)).toEqual(counts);
  });

  it.each(streams)('sends items back unchanged over two tool rounds, %s', (_name, events) => {
    const choice = getChoice(fold(...events, finish));
    const { id: _, ...sentReasoning } = reasoning;
    const round = [
      ...[sentReasoning, message, call, customCall],
      { type: 'function_call_output', call_id: 'call_1', output: 'Go' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Go' },
    ];
    const callIds = ['call_1', 'call_2'];
    const { input } = sendMessages(...repeat(choice, callIds));
    expect(input).toEqual([user, ...round, ...round]);
    const converted = JSON.stringify(repeat(choice, callIds, ''));
    expect(converted).not.toMatch(/ZW5jcnlwdGVk|"items"|"index"/);
  });

  it('is complete only after the last event', () => {
    expect(rest(fold(...stream), {})).toBe('more');
    expect(rest(fold(...stream, ending), {})).toBe('nothing');
    expect(rest(fold(...stream, chunk('[DONE]')), {})).toBe('nothing');
    expect(fold(...stream, finish).warnings).toEqual([
      'The stream ended without a finish reason or [DONE]. The text may be incomplete.',
    ]);
  });

  it.each([
    ['completed', null, 'completed'],
    ['incomplete', { reason: 'max_output_tokens' }, 'max_output_tokens'],
    ['incomplete', { reason: 'content_filter' }, 'content_filter'],
    ['cancelled', null, 'cancelled'],
  ])('reads the finish reason of a response: %s, %j', (status, incomplete_details, reason) => {
    const ended = { ...response, output: [message], status, incomplete_details };
    const streamed = fold(event(`response.${status}`, { response: ended }), finish);
    for (const state of [streamed, fold(body(ended))]) {
      expect(getChoice(state).finishReason).toBe(reason);
      expect(state).toMatchObject({ done: true, streamError: null });
    }
  });

  it('shows a failed response as an error, after its text', () => {
    const error = { code: 'server_error', message: 'Overloaded' };
    const failed = { ...response, status: 'failed', error, output: [message] };
    const streamed = fold(...stream, event('response.failed', { response: failed }));
    for (const state of [streamed, fold(body(failed))]) {
      expect(state.streamError).toEqual(error);
      expect(view(state).content).toBe('I look it up.');
    }
    const unnamed = fold(event('response.failed', { response: { status: 'failed' } }));
    expect(unnamed.streamError).toEqual({ message: 'The response failed.' });
  });

  it('separates the paragraphs of several messages and of unencrypted reasoning', () => {
    const content = [{ type: 'reasoning_text', text: 'Hm.' }];
    const items = [
      { type: 'reasoning', id: 'rs_2', summary: [], content },
      message,
      { ...message, id: 'msg_2', content: [outputText('Done.')] },
      { ...message, id: 'msg_3', content: [{ type: 'refusal', refusal: 'No.' }] },
    ];
    const texts = [
      inContent('reasoning_text.delta', 0, { delta: 'Hm.' }),
      inContent('reasoning_text.done', 0, { text: 'Hm.' }),
      inContent('output_text.delta', 1, { delta: 'I look it up.' }),
      inContent('output_text.delta', 2, { delta: 'Done.' }),
      inContent('refusal.delta', 3, { delta: 'N' }),
      inContent('refusal.delta', 3, { delta: 'o.' }),
      inContent('refusal.done', 3, { refusal: 'No.' }),
    ];
    for (const state of [fold(...texts, endWith(items), finish), fold(body(complete(items)))]) {
      expect(view(state)).toMatchObject({
        content: 'I look it up.\n\nDone.',
        reasoning: 'Hm.',
        refusal: 'No.',
        isEncrypted: false,
      });
    }
  });

  it('keeps both of two equal parts of a message', () => {
    const item = { ...message, content: [outputText('Ha'), outputText('Ha')] };
    for (const state of [fold(done(0, item), finish), fold(body(complete([item])))]) {
      expect(view(state).content).toBe('HaHa');
    }
  });

  const named = (id: string, place: number) => (name: string, fields: JsonObject) =>
    event(`response.${name}`, { item_id: id, output_index: place, ...fields });
  const makeCall = (letter: string, fields: JsonObject = {}) => ({
    ...call,
    id: `fc_${letter}`,
    call_id: `call_${letter}`,
    arguments: `{"port":"${letter}"}`,
    ...fields,
  });
  const shownCall = (letter: string) => ({
    id: `call_${letter}`,
    name: 'find',
    arguments: `{"port":"${letter}"}`,
  });

  it.each<[string, RunEventBody[]]>([
    [
      'interleaved under one index',
      [
        ...['A', 'B'].map((letter) => added(0, makeCall(letter, { arguments: '' }))),
        ...['A', 'B'].map((letter) =>
          named(`fc_${letter}`, 0)('function_call_arguments.delta', { delta: '{"port":' }),
        ),
        ...['B', 'A'].map((letter) =>
          named(`fc_${letter}`, 0)('function_call_arguments.delta', { delta: `"${letter}"}` }),
        ),
        ...['A', 'B'].map((letter) => done(0, makeCall(letter))),
      ],
    ],
    [
      'whose arguments arrive before them',
      ['A', 'B'].flatMap((letter, at) => [
        named(`fc_${letter}`, at)('function_call_arguments.delta', {
          delta: `{"port":"${letter}"}`,
        }),
        added(at, makeCall(letter, { arguments: '' })),
        done(at, makeCall(letter)),
      ]),
    ],
    [
      'sent as snapshots with new indexes',
      [
        added(0, makeCall('A', { arguments: '{}' })),
        added(1, makeCall('A', { id: 'fc_x', arguments: '{"port":"?"}' })),
        done(2, makeCall('A', { id: 'fc_y' })),
        added(3, makeCall('B', { arguments: '{"po' })),
        done(4, makeCall('B')),
      ],
    ],
    [
      'without indexes or item IDs',
      ['A', 'B'].flatMap((letter) => [
        event('response.output_item.added', { item: makeCall(letter, { arguments: '' }) }),
        event('response.function_call_arguments.delta', { delta: `{"port":"${letter}"}` }),
        event('response.output_item.done', { item: makeCall(letter) }),
      ]),
    ],
  ])('tells calls apart %s', (_name, events) => {
    const items = ['A', 'B'].map((letter) => ({
      ...makeCall(letter),
      item_id: 'x',
      output_index: 0,
      sequence_number: 3,
    }));
    for (const state of [fold(...events, finish), fold(...events, endWith(items), finish)]) {
      expect(view(state).toolCalls).toEqual([shownCall('A'), shownCall('B')]);
      const { input } = sendMessages(...repeat(getChoice(state), []));
      expect(input).toMatchObject([user, makeCallSent('A'), makeCallSent('B'), {}, {}]);
      expect(JSON.stringify(input)).not.toMatch(/item_id|output_index|sequence_number/);
    }
  });

  const makeCallSent = (letter: string) => ({
    type: 'function_call',
    call_id: `call_${letter}`,
    arguments: `{"port":"${letter}"}`,
  });

  it('shows text once if the index grows with every token, and sends one part back', () => {
    const whole = { ...message, content: [outputText('One two.')] };
    const pieces = ['One ', 'two.'].map((delta, at) =>
      piece('output_text.delta', 0, { content_index: at, delta }),
    );
    const end = piece('output_text.done', 0, { content_index: 2, text: 'One two.' });
    for (const events of [[...pieces, end], [...pieces, done(0, whole)], pieces]) {
      const state = fold(...events, endWith([{ ...whole, id: 'msg_new' }]), finish);
      expect(view(state).content).toBe('One two.');
      const items = getChoice(state).message.items ?? null;
      const { input } = sendMessages(user, { role: 'assistant', content: 'One two.', items });
      expect(input).toMatchObject([user, { content: [{ type: 'output_text', text: 'One two.' }] }]);
    }
  });

  it('adds what a whole text has beyond the first delta', () => {
    const state = fold(
      inContent('output_text.delta', 0, { delta: 'One' }),
      piece('output_text.done', 0, { content_index: 1, text: 'One two.' }),
      endWith([]),
      finish,
    );
    expect(view(state).content).toBe('One two.');
  });

  it('keeps commentary apart from the final answer, and sends phases back in Automatic', () => {
    const says = (phase: string, text: string) => ({
      ...message,
      id: `msg_${phase}`,
      phase,
      content: [outputText(text)],
    });
    const items = [says('commentary', 'I look it up.'), says('final_answer', 'Four.')];
    const events = items.flatMap((item, at) => [
      added(at, { ...item, content: [] }),
      named(item.id, at)('output_text.delta', {
        content_index: 0,
        delta: item.content[0]?.text ?? '',
      }),
      done(at, item),
    ]);
    for (const state of [fold(...events, endWith(items), finish), fold(body(complete(items)))]) {
      const { content, commentaryLength } = view(state);
      expect(content).toBe('I look it up.\n\nFour.');
      expect(content.slice(0, commentaryLength)).toBe('I look it up.');
      const { input } = sendMessages(...repeat(getChoice(state), []));
      expect(input).toMatchObject([user, ...items, ...items]);
    }
    const streaming = view(fold(...events.slice(0, 2)));
    expect(streaming.commentaryLength).toBe('I look it up.'.length);
  });

  it('ignores text repeated at another position', () => {
    const state = fold(
      inContent('output_text.delta', 1, { delta: 'Four' }),
      piece('output_text.done', 1, { content_index: 1, text: 'Four' }),
      piece('content_part.done', 1, { content_index: 1, part: { type: 'output_text', text: '' } }),
      done(1, { ...message, content: [] }),
      finish,
    );
    expect(view(state).content).toBe('Four');
  });

  it('shows web citations and files as sources, and built-in tools as other fields', () => {
    const url = { type: 'url_citation', url: 'https://example.com/', start_index: 0, end_index: 6 };
    const file = { type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: 6 };
    const cited = { ...message, content: [outputText('Found.', { annotations: [url, file] })] };
    const sources = [{ type: 'url', url: 'https://example.org/' }];
    const search = {
      id: 'ws_1',
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'gate', sources },
    };
    const code = {
      id: 'ci_1',
      type: 'code_interpreter_call',
      status: 'completed',
      code: 'print(1)',
      container_id: 'c1',
      outputs: [{ type: 'logs', logs: '1' }],
    };
    const mcp = {
      id: 'mcp_1',
      type: 'mcp_call',
      server_label: 'docs',
      name: 'ask',
      arguments: '{}',
      output: 'yes',
    };
    const unknown = { id: 'u_1', type: 'quantum_call', qubits: [1, 2] };
    const items = [search, code, { ...mcp, error: null }, unknown, cited];
    const events = [
      added(0, { ...search, status: 'in_progress', action: { type: 'search', query: '' } }),
      piece('web_search_call.searching', 0),
      piece('web_search_call.completed', 0),
      done(0, search),
      added(1, { ...code, status: 'in_progress', code: '', outputs: null }),
      piece('code_interpreter_call_code.delta', 1, { delta: 'print' }),
      piece('code_interpreter_call_code.done', 1, { code: 'print(1)' }),
      piece('code_interpreter_call.interpreting', 1),
      done(1, code),
      added(2, { ...mcp, arguments: '', output: null }),
      piece('mcp_call_arguments.delta', 2, { delta: '{' }),
      piece('mcp_call_arguments.done', 2, { arguments: '{}' }),
      piece('mcp_call.completed', 2),
      done(2, { ...mcp, error: null }),
      added(3, unknown),
      done(3, unknown),
      inContent('output_text.delta', 4, { delta: 'Found.' }),
      inContent('output_text.annotation.added', 4, { annotation_index: 0, annotation: url }),
      done(4, cited),
      endWith(items),
      finish,
    ];
    for (const state of [fold(...events), fold(body(complete(items)))]) {
      const choice = getChoice(state);
      const { otherFields, ...answer } = viewAnswer(choice);
      expect(answer).toMatchObject({ content: 'Found.', toolCalls: [] });
      expect(otherFields.items).toMatchObject([search, code, mcp, unknown]);
      expect(answer.steps).toEqual([
        { title: 'Web search', text: 'gate', status: 'completed' },
        { title: 'Code interpreter', text: 'print(1)', status: 'completed' },
        { title: 'MCP call', text: 'docs: ask({})', status: expect.toBeOneOf([null, 'completed']) },
        { title: 'Quantum call', text: '', status: null },
      ]);
      expect(chatOperation.response(state).sections).toContainEqual(
        expect.objectContaining({ title: 'Built-in tools', text: expect.stringContaining('gate') }),
      );
      expect(state.other).toEqual({});
      const shown = readSources(state, choice).map((source) => source.url ?? source.title);
      expect(shown.sort()).toEqual(['a.pdf', 'https://example.com/', 'https://example.org/']);
      const sent = { role: 'assistant', content: 'Found.', items: choice.message.items ?? null };
      const { input } = sendMessages(user, sent);
      expect(input).toMatchObject([user, search, code, mcp, unknown, cited]);
    }
  });

  it('shows a generated image, which replaces its previews', () => {
    const final = 'media:0123456789abcdeffinal';
    const generated = { id: 'ig_1', type: 'image_generation_call', status: 'completed' };
    const item = { ...generated, result: final };
    const preview = (partial_image_index: number, partial_image_b64: string) =>
      piece('image_generation_call.partial_image', 0, { partial_image_index, partial_image_b64 });
    const events = [
      added(0, { ...generated, status: 'in_progress', result: null }),
      piece('image_generation_call.generating', 0),
      preview(0, 'media:0123456789abcdefone'),
      preview(1, 'media:0123456789abcdeftwo'),
      done(0, item),
      endWith([item]),
      finish,
    ];
    const urls = (state: ChatState) =>
      view(state).parts.map(({ part }) => part.type === 'image_url' && part.image_url.url);
    expect(urls(fold(...events.slice(0, 4)))).toEqual(['media:0123456789abcdeftwo']);
    for (const state of [fold(...events), fold(body(complete([item])))]) {
      expect(urls(state)).toEqual([final]);
      expect(chatOperation.noResult(state, [])).toBeNull();
      const { input } = sendMessages(...repeat(getChoice(state), []));
      expect(input).toEqual([user, item, item]);
    }
  });

  it('reads token probabilities and spoken answers', () => {
    const logprobs = [{ token: 'Four', logprob: -0.1, top_logprobs: [] }];
    const item = { ...message, content: [outputText('Four', { logprobs })] };
    const delta = inContent('output_text.delta', 0, { delta: 'Four', logprobs });
    const end = endWith([item]);
    for (const events of [[delta, done(0, item), end], [end], [body(complete([item]))]]) {
      const tokens = readTokens(getChoice(fold(...events)).logprobs);
      expect(tokens).toMatchObject([{ text: 'Four' }]);
    }
    const spoken = fold(
      event('response.audio.delta', { delta: 'media:0123456789abcdefsound' }),
      event('response.audio.transcript.delta', { delta: 'Four' }),
      event('response.audio.done'),
    );
    const audio = { media: '0123456789abcdefsound', transcript: 'Four' };
    expect(view(spoken).audio).toMatchObject(audio);
  });

  const slow = { message: 'Slow down' };
  it.each<[string, RunEventBody, Partial<ChatState>]>([
    [
      'an error event',
      event('error', { code: 'rate_limit', ...slow, param: null }),
      { streamError: expect.objectContaining({ code: 'rate_limit', ...slow }) },
    ],
    ['an error without a name', chunk({ type: 'error', error: slow }), { streamError: slow }],
    [
      'an unknown event',
      event('response.billing', { credits: 3 }),
      { other: { 'response.billing': expect.objectContaining({ credits: 3 }) } },
    ],
    ['HTML', body('<html>'), { unreadable: true }],
    ['a body of another format', body({ content: [] }), { unreadable: true }],
    ['a chunk without a type', chunk({ id: 'x' }), { streamError: null }],
  ])('keeps everything received before %s', (_name, odd, expected) => {
    const state = fold(...stream.slice(0, 14), odd);
    expect(state).toMatchObject(expected);
    expect(view(state).content).toBe('I look it up.');
  });
});
