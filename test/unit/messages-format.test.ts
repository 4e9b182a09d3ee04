import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { readSources } from '../../shared/operations/chat/sources.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import { getTokenCounts } from '../../shared/operations/response/usage.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { fn, openFormat, user } from './support/chat-format.ts';
import { body, chunk, finish } from './support/fold-events.ts';

const MODEL = 'claude-sonnet-4-5';
const { send, sendMessages, rest, fold, getChoice, repeat, view } = openFormat('messages', MODEL);

const text = (words: string) => ({ type: 'text', text: words });
const asked = { role: 'user', content: [text('Go')] };
const search = { type: 'web_search_20250305', name: 'web_search' };

describe('a request in the Messages format', () => {
  it('uses its own endpoint, omits the format field and sets a token limit', () => {
    expect(send({})).toEqual({
      method: 'POST',
      path: '/v1/messages',
      defaultHeaders: [['anthropic-version', '2023-06-01']],
      body: { model: MODEL, messages: [asked], max_tokens: 4096 },
    });
  });

  it.each<[string, JsonObject, JsonObject?]>([
    ['the same fields', { temperature: 0.2, top_p: 0.9, stream: true }],
    ['max_tokens', { max_tokens: 9 }],
    ['max_completion_tokens', { max_completion_tokens: 8, max_tokens: 9 }, { max_tokens: 8 }],
    ['stop as a list', { stop: ['a', 'b'] }, { stop_sequences: ['a', 'b'] }],
    ['stop as text', { stop: 'a' }, { stop_sequences: ['a'] }],
    ['user', { user: 'u1' }, { metadata: { user_id: 'u1' } }],
    ['effort', { reasoning_effort: 'high' }, { output_config: { effort: 'high' } }],
    ['an effort that the format lacks', { reasoning_effort: 'minimal' }, {}],
    ['thinking', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    [
      'a schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { a: 1 } } } },
      { output_config: { format: { type: 'json_schema', schema: { a: 1 } } } },
    ],
    ['tool choice auto', { tool_choice: 'auto' }, { tool_choice: { type: 'auto' } }],
    ['tool choice none', { tool_choice: 'none' }, { tool_choice: { type: 'none' } }],
    ['tool choice required', { tool_choice: 'required' }, { tool_choice: { type: 'any' } }],
    ['a named tool', { tool_choice: fn('a') }, { tool_choice: { type: 'tool', name: 'a' } }],
    [
      'one call at a time',
      { parallel_tool_calls: false, tools: [search] },
      { tools: [search], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    ],
    [
      'tools',
      {
        tools: [
          fn('a', { description: 'A', parameters: { x: 1 } }),
          fn('b', { strict: true }),
          search,
        ],
      },
      {
        tools: [
          {
            name: 'a',
            description: 'A',
            input_schema: { type: 'object', properties: {}, x: 1 },
          },
          { name: 'b', input_schema: { type: 'object', properties: {} }, strict: true },
          search,
        ],
      },
    ],
  ])('sends %s', (_name, request, sent = request) => {
    const { messages: _, model: __, ...others } = send(request).body;
    expect(others).toEqual({ max_tokens: 4096, ...sent });
  });

  it('omits what the format can’t send, and adds extra body fields last', () => {
    const unsent = { seed: 1, n: 2, presence_penalty: 1, logprobs: true, stream_options: {} };
    const { body: sent } = send(unsent, { top_k: 5, max_tokens: 7 });
    expect(Object.keys(sent).sort()).toEqual(['max_tokens', 'messages', 'model', 'top_k']);
    expect(sent).toMatchObject({ top_k: 5, max_tokens: 7 });
  });

  it('moves system messages to the system prompt', () => {
    const developer = { role: 'developer', content: [text('Really.')] };
    const sent = sendMessages({ role: 'system', content: 'Be brief.' }, user, developer);
    const system = [text('Be brief.'), text('Really.')];
    expect(sent).toMatchObject({ system, messages: [asked] });
  });

  it('sends images, documents and files, and names unsupported ones', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'high' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
      text(''),
    ];
    const base64 = (type: string) => ({ type: 'base64', media_type: type, data: 'QUJD' });
    expect(sendMessages({ role: 'user', content }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: base64('image/png') },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'document', source: base64('application/pdf'), title: 'a.pdf' },
          { type: 'document', source: { type: 'file', file_id: 'file_1' } },
          text('[input audio not sent]'),
        ],
      },
    ]);
  });

  it('sends calls as blocks, and their results in one message with the user’s text', () => {
    const call = (id: string, args: string) => ({ id, ...fn('find', { arguments: args }) });
    const calls = [call('a', '{"q":1}'), call('b', ''), call('c', 'no JSON')];
    const { messages } = sendMessages(
      user,
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: [text('2')] },
      { role: 'user', content: 'And now?' },
    );
    const use = (id: string, input: JsonObject) => ({ type: 'tool_use', id, name: 'find', input });
    const uses = [use('a', { q: 1 }), use('b', {}), use('c', { input: 'no JSON' })];
    expect(messages).toEqual([
      asked,
      { role: 'assistant', content: uses },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '1' },
          { type: 'tool_result', tool_use_id: 'b', content: [text('2')] },
          text('And now?'),
        ],
      },
    ]);
  });

  it('marks the tools, the system prompt and the last message for the cache on request', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, user];
    const cached = { cache_control: { type: 'ephemeral' } };
    const request = { messages, tools: [fn('a')], cache_control: true };
    expect(send(request).body).toMatchObject({
      system: [{ ...text('Be brief.'), ...cached }],
      tools: [{ name: 'a', ...cached }],
      messages: [{ content: [{ ...text('Go'), ...cached }] }],
    });
  });
});

const event = (type: string, fields: JsonObject = {}) => chunk({ type, ...fields }, type);
const start = (index: number, block: JsonObject) =>
  event('content_block_start', { index, content_block: block });
const piece = (index: number, delta: JsonObject) => event('content_block_delta', { index, delta });
const stop = (index: number) => event('content_block_stop', { index });

const thinking: JsonObject = { type: 'thinking', thinking: '', signature: '' };
const stream = [
  event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 30, output_tokens: 1 },
    },
  }),
  start(0, thinking),
  event('ping'),
  piece(0, { type: 'thinking_delta', thinking: 'Two and ' }),
  piece(0, { type: 'thinking_delta', thinking: 'two.' }),
  piece(0, { type: 'signature_delta', signature: 'c2ln' }),
  stop(0),
  start(1, { type: 'redacted_thinking', data: 'ZW5j' }),
  stop(1),
  start(2, { type: 'text', text: '' }),
  piece(2, { type: 'text_delta', text: 'I look ' }),
  piece(2, { type: 'text_delta', text: 'it up.' }),
  stop(2),
  start(3, { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} }),
  piece(3, { type: 'input_json_delta', partial_json: '' }),
  piece(3, { type: 'input_json_delta', partial_json: '{"q":' }),
  piece(3, { type: 'input_json_delta', partial_json: '"gate"}' }),
  stop(3),
  start(4, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }),
  stop(4),
  event('message_delta', {
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 25, input_tokens: null },
  }),
];
const ending = event('message_stop');

const blocks: JsonValue[] = [
  { type: 'thinking', thinking: 'Two and two.', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'ZW5j' },
  text('I look it up.'),
  { type: 'tool_use', id: 'toolu_1', name: 'find', input: { q: 'gate' } },
  { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
];
const whole = body({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: blocks,
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 10, cache_read_input_tokens: 30, output_tokens: 25 },
});
const forms: [string, RunEventBody[]][] = [
  ['streamed', [...stream, ending]],
  ['in one body', [whole]],
];

describe('a response in the Messages format', () => {
  it.each(forms)('shows thinking, text and calls, %s', (_name, events) => {
    const state = fold(...events, finish);
    expect(state).toMatchObject({ id: 'msg_1', model: MODEL, done: true, warnings: [] });
    expect(view(state)).toMatchObject({
      content: 'I look it up.',
      reasoning: 'Two and two.',
      isEncrypted: true,
      toolCalls: [
        { id: 'toolu_1', name: 'find' },
        { id: 'toolu_2', name: 'now' },
      ],
      otherFields: {},
      warnings: [],
    });
    expect(getChoice(state).finishReason).toBe('tool_use');
    expect(getTokenCounts(state.usage)).toMatchObject({ input: 40, cached: 30, output: 25 });
  });

  it.each(forms)('sends the blocks back unchanged over two tool rounds, %s', (_name, events) => {
    const sent = sendMessages(...repeat(getChoice(fold(...events, finish)), ['toolu_1']));
    expect(sent.messages).toMatchObject([{}, { content: blocks }, {}, { content: blocks }, {}]);
    expect(sent.messages).toHaveLength(5);
  });

  it('is complete only after the last event', () => {
    expect(rest(fold(...stream), {})).toBe('more');
    expect(rest(fold(...stream, ending), {})).toBe('nothing');
    expect(fold(...stream.slice(0, -1), finish).warnings).toEqual([
      'The stream ended without a finish reason or [DONE]. The text may be incomplete.',
    ]);
  });

  it('shows built-in tools as other fields, and their results as sources', () => {
    const page = { url: 'https://example.com/', title: 'Example' };
    const found = { type: 'web_search_result', ...page };
    const citation = { type: 'web_search_result_location', ...page };
    const state = fold(
      start(0, { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }),
      piece(0, { type: 'input_json_delta', partial_json: '{"query":"gate"}' }),
      start(1, { type: 'web_search_tool_result', tool_use_id: 's1', content: [found] }),
      start(2, { type: 'text', text: '' }),
      piece(2, { type: 'text_delta', text: 'Found.' }),
      piece(2, { type: 'citations_delta', citation }),
      event('message_delta', { delta: { stop_reason: 'end_turn' } }),
      ending,
      finish,
    );
    const choice = getChoice(state);
    const { toolCalls, otherFields } = viewAnswer(choice);
    expect(toolCalls).toEqual([]);
    expect(otherFields).toMatchObject({
      items: [
        { type: 'server_tool_use', name: 'web_search', input: '{"query":"gate"}' },
        { type: 'web_search_tool_result' },
      ],
    });
    expect(readSources(state, choice)).toMatchObject([{ url: 'https://example.com/' }]);
  });

  it('reads every field of a delta, whatever its type', () => {
    const state = fold(
      start(0, thinking),
      piece(0, { type: 'thinking_delta', thinking: 'Hm.', signature: 'c2ln' }),
      start(1, { type: 'text', text: '' }),
      piece(1, { text: 'Four.' }),
      finish,
    );
    expect(view(state)).toMatchObject({ content: 'Four.', reasoning: 'Hm.' });
    expect(getChoice(state).message.items).toMatchObject([
      { thinking: 'Hm.', signature: 'c2ln' },
      { text: 'Four.' },
    ]);
  });

  it.each<[string, RunEventBody[]]>([
    ['only at the start', []],
    [
      'also in pieces',
      ['{"q":', '"gate"}']
        .map((json) => ({ partial_json: json }))
        .map((delta) => piece(0, { type: 'input_json_delta', ...delta })),
    ],
    ['also in one piece', [piece(0, { type: 'input_json_delta', partial_json: '{"q":"gate"}' })]],
  ])('counts input once that came %s', (_name, pieces) => {
    const input = { q: 'gate' };
    const block = { type: 'tool_use', id: 'toolu_1', name: 'find', input };
    const state = fold(start(0, block), ...pieces, stop(0), finish);
    expect(view(state)).toMatchObject({ toolCalls: [{ arguments: '{"q":"gate"}' }], warnings: [] });
    const sent = sendMessages(...repeat(getChoice(state), ['toolu_1']));
    expect(sent.messages).toMatchObject([{}, { content: [block] }, {}, {}, {}]);
  });

  it.each([
    [
      { input_tokens: 10, output_tokens: 1 },
      { input_tokens: 0, output_tokens: 5 },
    ],
    [
      { input_tokens: 0, output_tokens: 0 },
      { input_tokens: 10, output_tokens: 5 },
    ],
  ])('keeps counts that zeros follow or precede: %j, %j', (first, last) => {
    const state = fold(
      event('message_start', { message: { content: [], usage: first } }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: last }),
    );
    expect(getTokenCounts(state.usage)).toMatchObject({ input: 10, output: 5 });
  });

  it('sends a failed result with its error flag', () => {
    const call = { id: 'a', ...fn('find', { arguments: '{}' }) };
    const { messages } = sendMessages(
      user,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'No', is_error: true },
    );
    const failed = { type: 'tool_result', tool_use_id: 'a', content: 'No', is_error: true };
    expect(messages).toMatchObject([asked, {}, { content: [failed] }]);
  });

  const error = { type: 'overloaded_error', message: 'Overloaded' };
  it.each<[string, RunEventBody, Partial<ChatState>]>([
    ['an error event', event('error', { error }), { streamError: error }],
    [
      'an unknown event',
      event('bill', { credits: 3 }),
      { other: { bill: { credits: 3, type: 'bill' } } },
    ],
    ['HTML', body('<html>'), { unreadable: true }],
    ['a body of another format', body({ output: [] }), { unreadable: true }],
  ])('keeps everything received before %s', (_name, odd, expected) => {
    const state = fold(...stream.slice(0, 12), odd);
    expect(state).toMatchObject(expected);
    expect(view(state).content).toBe('I look it up.');
  });
});
