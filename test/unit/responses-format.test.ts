import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type AnswerView, viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { buildChatMessages, storedCalls } from '../../shared/operations/chat/history.ts';
import { readSources } from '../../shared/operations/chat/sources.ts';
import type { ChatChoice, ChatState } from '../../shared/operations/chat/state.ts';
import { readTokens } from '../../shared/operations/response/token-probabilities.ts';
import { countTokens } from '../../shared/operations/response/usage.ts';
import { toHttp } from '../../shared/operations/write-request.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { createRandom } from '../fixtures/random.ts';
import { body, chunk, finish, foldAll, randomReply } from './support/fold-events.ts';
import { readEvents } from './support/read-events.ts';

const user = { role: 'user', content: 'Go' };
const MODEL = 'gpt-5.1';
const include = ['reasoning.encrypted_content'];

function send(request: JsonObject, extraBody: JsonObject = {}) {
  const fields = { format: 'responses', model: MODEL, messages: [user], ...request };
  return toHttp(chatOperation, { request: fields, extraBody, wireNames: {} });
}

function sendInput(...messages: JsonValue[]): JsonValue | undefined {
  return send({ messages }).body.input;
}

const functionCall = (id: string, args: string) => ({
  ...{ id, type: 'function' },
  function: { name: 'find', arguments: args },
});

describe('a request in the Responses format', () => {
  it('has its own endpoint, omits the format and asks not to be stored', () => {
    expect(send({})).toEqual({
      method: 'POST',
      path: '/v1/responses',
      body: { model: MODEL, input: [user], store: false, include },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['the same fields', { temperature: 0.2, top_p: 0.9, stream: true }, {}],
    ['the same tool fields', { temperature: 1, parallel_tool_calls: false }, {}],
    ['users', { temperature: 1, user: 'u1', safety_identifier: 's1' }, {}],
    ['max_tokens', { max_tokens: 9 }, { max_output_tokens: 9 }],
    [
      'max_completion_tokens',
      { max_completion_tokens: 8, max_tokens: 9 },
      { max_output_tokens: 8 },
    ],
    ['any effort', { reasoning_effort: 'xhigh' }, { reasoning: { effort: 'xhigh' } }],
    ['a summary', { reasoning_summary: 'auto' }, { reasoning: { summary: 'auto' } }],
    [
      'effort and summary',
      { reasoning_effort: 'low', reasoning_summary: 'detailed' },
      { reasoning: { effort: 'low', summary: 'detailed' } },
    ],
    [
      'any JSON',
      { response_format: { type: 'json_object' } },
      { text: { format: { type: 'json_object' } } },
    ],
    [
      'a schema',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'n', strict: true, schema: { type: 'object' } },
        },
      },
      {
        text: {
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
        },
      },
    ],
    [
      'a schema without a name',
      { response_format: { type: 'json_schema', json_schema: { type: 'object' } } },
      { text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } } },
    ],
    [
      'token probabilities',
      { logprobs: true, top_logprobs: 3 },
      { top_logprobs: 3, include: [...include, 'message.output_text.logprobs'] },
    ],
    ['storage', { store: true, include: [] }, { store: true, include: [] }],
    [
      'what to include',
      { include: ['file_search_call.results'] },
      { include: ['file_search_call.results'] },
    ],
    ['tool choice auto', { tool_choice: 'auto' }, { tool_choice: 'auto' }],
    [
      'a named tool',
      { tool_choice: { type: 'function', function: { name: 'find' } } },
      { tool_choice: { type: 'function', name: 'find' } },
    ],
    [
      'a named custom tool',
      { tool_choice: { type: 'custom', custom: { name: 'sql' } } },
      { tool_choice: { type: 'custom', name: 'sql' } },
    ],
    [
      'allowed tools',
      {
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] },
        },
      },
      {
        tool_choice: {
          ...{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'a' }] },
        },
      },
    ],
    [
      'tools, which are strict only on request',
      {
        tools: [
          { type: 'function', function: { name: 'a', description: 'A', parameters: { x: 1 } } },
          { type: 'function', function: { name: 'b', strict: true } },
          {
            type: 'custom',
            custom: {
              name: 'c',
              format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'd' } },
            },
          },
          { type: 'web_search' },
        ],
      },
      {
        tools: [
          { type: 'function', name: 'a', description: 'A', parameters: { x: 1 }, strict: false },
          {
            type: 'function',
            name: 'b',
            parameters: { type: 'object', properties: {} },
            strict: true,
          },
          {
            type: 'custom',
            name: 'c',
            format: { type: 'grammar', syntax: 'lark', definition: 'd' },
          },
          { type: 'web_search' },
        ],
      },
    ],
  ])('sends %s', (_name, request, sent) => {
    const { input: _, model: __, ...rest } = send(request).body;
    const isSame = Object.hasOwn(request, 'temperature');
    const { include: asked = [], ...others } = rest;
    expect({ ...others, include: asked }).toEqual({
      ...{ store: false, include, ...(isSame && request), ...sent },
    });
  });

  it.each([
    ['gpt-4o-mini', false],
    ['openai/gpt-4.1', false],
    ['gpt-5-chat-latest', false],
    ['gpt-5-mini', true],
    ['o3', true],
    ['grok-4', true],
  ])('asks for encrypted reasoning of models that may reason: %s', (model, isAsked) => {
    expect(send({ model }).body.include).toEqual(isAsked ? include : undefined);
    expect(send({ model, store: true }).body.include).toBeUndefined();
  });

  it('omits what the format can’t send, and adds extra body fields last', () => {
    const unsent = { seed: 1, n: 2, stop: ['a'], presence_penalty: 1, stream_options: {} };
    const { body: sent } = send(
      { ...unsent, modalities: ['text'] },
      { store: true, truncation: 'auto' },
    );
    const names = ['include', 'input', 'model', 'store', 'truncation'];
    expect(Object.keys(sent).sort()).toEqual(names);
    expect(sent).toMatchObject({ store: true, truncation: 'auto' });
  });

  it('sends the first system message as instructions, and others in their place', () => {
    const later = { role: 'system', content: 'Really.' };
    const messages = [{ role: 'system', content: 'Be brief.' }, user, later];
    expect(send({ messages }).body).toMatchObject({
      instructions: 'Be brief.',
      input: [user, later],
    });
    const developer = { role: 'developer', content: 'Be brief.' };
    expect(send({ messages: [developer, user] }).body).toMatchObject({ input: [developer, user] });
    const parts = [
      {
        role: 'system',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
    ];
    expect(send({ messages: [...parts, user] }).body).toMatchObject({ instructions: 'A\n\nB' });
  });

  it('sends images, files and audio, and names what it can’t send', () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'high' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
      { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
      { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
      { type: 'text', text: '' },
    ];
    expect(sendInput({ role: 'user', content })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: 'data:image/png;base64,QUJD', detail: 'high' },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,QUJD' },
          { type: 'input_file', file_id: 'file_1' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
          { type: 'input_text', text: '[video not sent]' },
        ],
      },
    ]);
  });

  it('sends calls and results as items, including custom ones', () => {
    const custom = { id: 'c', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } };
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const sent = sendInput(
      user,
      { role: 'assistant', content: 'I look.', tool_calls: [functionCall('a', '{"q":1}'), custom] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'c', content: [image] },
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: '2' },
      { role: 'assistant', content: [{ type: 'text', text: 'Here: ' }, image] },
    );
    expect(sent).toEqual([
      user,
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: '{"q":1}' },
      { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT 1' },
      { type: 'function_call_output', call_id: 'a', output: '1' },
      {
        type: 'custom_tool_call_output',
        call_id: 'c',
        output: [{ type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' }],
      },
      { type: 'function_call', call_id: 'function_call', name: 'old', arguments: '{}' },
      { type: 'function_call_output', call_id: 'function_call', output: '2' },
      { role: 'assistant', content: 'Here: [image not sent]' },
    ]);
  });

  it('sends reasoning back only with its content, and without the ID of unstored items', () => {
    const summary = [{ type: 'summary_text', text: 'S', index: 0 }];
    const encrypted = { index: 0, type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'x' };
    const open = {
      type: 'reasoning',
      id: 'rs_2',
      content: [{ type: 'reasoning_text', text: 'T' }],
    };
    const bare = { type: 'reasoning', id: 'rs_3', summary: [] };
    const part = { type: 'output_text', text: 'Half' };
    const items = [
      encrypted,
      open,
      bare,
      { type: 'message', status: 'in_progress', content: [part] },
    ];
    const messages = [user, { role: 'assistant', content: 'Half', items }];
    const shortSummary = [{ type: 'summary_text', text: 'S' }];
    const half = { type: 'message', role: 'assistant', content: [{ ...part, annotations: [] }] };
    expect(send({ messages }).body.input).toEqual([
      user,
      { type: 'reasoning', summary: shortSummary, encrypted_content: 'x' },
      { ...open, summary: [] },
      half,
    ]);
    expect(send({ messages, store: true }).body.input).toEqual([
      user,
      { type: 'reasoning', id: 'rs_1', summary: shortSummary, encrypted_content: 'x' },
      { ...open, summary: [] },
      bare,
      half,
    ]);
  });

  it('omits IDs in an answer whose reasoning can’t be sent back', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
    const items = [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { ...call, id: 'fc_1' },
    ];
    const messages = [user, { role: 'assistant', content: null, items }];
    expect(send({ messages }).body.input).toEqual([user, call]);
    expect(send({ messages, store: true }).body.input).toEqual([user, items[0], items[1]]);
  });
});

const format = getFormat();

function getFormat() {
  const found = chatOperation.formats?.find(({ name }) => name === 'responses');
  if (found === undefined) throw new Error('no format');
  return found;
}

function fold(...events: RunEventBody[]): ChatState {
  return foldAll({ fold: format.fold, initialState: chatOperation.initialState }, events);
}

function getChoice({ choices: [choice] }: ChatState): ChatChoice {
  if (choice === undefined) throw new Error('no choice');
  return choice;
}

function view(state: ChatState): AnswerView {
  return viewAnswer(getChoice(state));
}

const event = (type: string, fields: JsonObject = {}) =>
  chunk({ type, sequence_number: 1, ...fields }, type);
const added = (index: number, item: JsonObject) =>
  event('response.output_item.added', { output_index: index, item });
const done = (index: number, item: JsonObject) =>
  event('response.output_item.done', { output_index: index, item });
const piece = (name: string, index: number, fields: JsonObject) =>
  event(`response.${name}`, { item_id: 'x', output_index: index, ...fields });

const reasoning: JsonObject = {
  ...{ id: 'rs_1', type: 'reasoning', encrypted_content: 'ZW5jcnlwdGVk' },
  summary: [
    { type: 'summary_text', text: 'Two and two.' },
    { type: 'summary_text', text: 'Four.' },
  ],
};
const message: JsonObject = {
  ...{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' },
  content: [{ type: 'output_text', text: 'I look it up.', annotations: [] }],
};
const call: JsonObject = {
  ...{ id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'find' },
  arguments: '{"q":"gate"}',
};
const customCall: JsonObject = {
  ...{ id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'call_2', name: 'sql' },
  input: 'SELECT 1',
};
const output: JsonValue[] = [reasoning, message, call, customCall];
const response: JsonObject = {
  ...{ id: 'resp_1', object: 'response', created_at: 1700000000, model: MODEL, error: null },
  ...{ incomplete_details: null, tools: [], metadata: {}, temperature: 1, store: false },
};
const usage = {
  ...{ input_tokens: 40, output_tokens: 25, total_tokens: 65 },
  ...{
    input_tokens_details: { cached_tokens: 30 },
    output_tokens_details: { reasoning_tokens: 9 },
  },
};
const completed: JsonObject = { ...response, status: 'completed', output, usage };

const stream = [
  event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
  event('response.in_progress', { response: { ...response, status: 'in_progress', output: [] } }),
  added(0, { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'b3RoZXI=' }),
  piece('reasoning_summary_part.added', 0, {
    summary_index: 0,
    part: { type: 'summary_text', text: '' },
  }),
  piece('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'Two and ' }),
  piece('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'two.' }),
  piece('reasoning_summary_text.done', 0, { summary_index: 0, text: 'Two and two.' }),
  piece('reasoning_summary_part.done', 0, {
    summary_index: 0,
    part: { type: 'summary_text', text: 'Two and two.' },
  }),
  piece('reasoning_summary_text.delta', 0, { summary_index: 1, delta: 'Four.' }),
  done(0, reasoning),
  added(1, { id: 'msg_1', type: 'message', status: 'in_progress', role: 'assistant', content: [] }),
  piece('content_part.added', 1, {
    content_index: 0,
    part: { type: 'output_text', text: '', annotations: [] },
  }),
  piece('output_text.delta', 1, { content_index: 0, delta: 'I look ', logprobs: [] }),
  piece('output_text.delta', 1, { content_index: 0, delta: 'it up.', obfuscation: 'xx' }),
  piece('output_text.done', 1, { content_index: 0, text: 'I look it up.' }),
  piece('content_part.done', 1, {
    content_index: 0,
    part: { type: 'output_text', text: 'I look it up.', annotations: [] },
  }),
  done(1, message),
  added(2, { ...call, status: 'in_progress', arguments: '' }),
  piece('function_call_arguments.delta', 2, { delta: '{"q":' }),
  piece('function_call_arguments.delta', 2, { delta: '"gate"}' }),
  piece('function_call_arguments.done', 2, { arguments: '{"q":"gate"}' }),
  done(2, call),
  added(3, { ...customCall, status: 'in_progress', input: '' }),
  piece('custom_tool_call_input.delta', 3, { delta: 'SELECT' }),
  piece('custom_tool_call_input.done', 3, { input: 'SELECT 1' }),
  done(3, customCall),
];
const ending = event('response.completed', { response: completed });
const whole = body(completed);

/** Some gateways omit events that others send. */
const streams: [string, RunEventBody[]][] = [
  ['streamed', [...stream, ending]],
  ['in one body', [whole]],
  ['only in the last event', [ending]],
  ['as items', [...output.map((item, index) => done(index, item as JsonObject)), ending]],
  ['without events of items', [...stream.filter((one) => !isItemEvent(one)), ending]],
  [
    'without an output at the end',
    [...stream, event('response.completed', { response: { ...completed, output: [] } })],
  ],
  [
    'with items that are whole from the start',
    [
      ...output.flatMap((item, index) => [
        added(index, item as JsonObject),
        done(index, item as JsonObject),
      ]),
      ending,
    ],
  ],
  ['with [DONE] after the end', [...stream, ending, chunk('[DONE]')]],
];

function isItemEvent(one: RunEventBody): boolean {
  return one.kind === 'chunk' && one.event?.startsWith('response.output_item') === true;
}

describe('a response in the Responses format', () => {
  it.each(streams)('shows reasoning, text and calls, %s', (_name, events) => {
    const state = fold(...events, finish);
    expect(state).toMatchObject({
      ...{ id: 'resp_1', model: MODEL, created: 1700000000, done: true, warnings: [], other: {} },
    });
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
    const counts = { input: 40, cached: 30, output: 25, reasoning: 9, total: 65 };
    expect(countTokens(state.usage)).toEqual(counts);
  });

  it.each(streams)(
    'sends the items back unchanged over two rounds of tools, %s',
    (_name, events) => {
      const choice = getChoice(fold(...events, finish));
      const { content, reasoning: thought, toolCalls } = viewAnswer(choice);
      const plain = { name: null, toolCallId: null, audio: null, wire: null, reasoning: null };
      const answer = {
        ...{ ...plain, role: 'assistant' as const, content, reasoning: thought },
        toolCalls: storedCalls(choice.message, toolCalls),
        wire: { format: 'responses', message: choice.message },
      };
      const asked = { ...plain, role: 'user' as const, content: 'Go', toolCalls: [] };
      const result = (id: string) => ({
        ...{ ...asked, role: 'tool' as const, content: '1', toolCallId: id },
      });
      const round = [answer, result('call_1'), result('call_2')];
      const options = { providerFields: 'automatic' as const, format: 'responses', now: 0 };
      const path = [asked, ...round, ...round];
      const sent = sendInput(...buildChatMessages('', path, options));
      const { id: _, ...sentReasoning } = reasoning;
      const sentRound = [
        ...[sentReasoning, message, call, customCall],
        { type: 'function_call_output', call_id: 'call_1', output: '1' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: '1' },
      ];
      expect(sent).toEqual([user, ...sentRound, ...sentRound]);
      const converted = buildChatMessages('', path, { ...options, format: undefined });
      expect(JSON.stringify(converted)).not.toMatch(/ZW5jcnlwdGVk|"items"|"index"/);
    },
  );

  it('is complete only after the last event', () => {
    expect(format.rest(fold(...stream), {})).toBe('more');
    expect(format.rest(fold(...stream, ending), {})).toBe('nothing');
    expect(format.rest(fold(...stream, chunk('[DONE]')), {})).toBe('nothing');
    expect(fold(...stream, finish).warnings).toEqual([
      'The stream ended without a finish reason or [DONE]. The text may be incomplete.',
    ]);
  });

  it.each<[string, JsonObject, string | null]>([
    ['completed', { status: 'completed' }, 'completed'],
    [
      'incomplete',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      'max_output_tokens',
    ],
    [
      'filtered',
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      'content_filter',
    ],
    ['cancelled', { status: 'cancelled' }, 'cancelled'],
  ])('reads why the response ended: %s', (_name, fields, reason) => {
    const ended = { ...response, output: [message], ...fields };
    const type = `response.${String(fields.status)}`;
    for (const state of [fold(event(type, { response: ended }), finish), fold(body(ended))]) {
      expect(getChoice(state).finishReason).toBe(reason);
      expect(state).toMatchObject({ done: true, streamError: null });
    }
  });

  it('shows a failed response as an error, after its text', () => {
    const error = { code: 'server_error', message: 'Overloaded' };
    const failed = { ...response, status: 'failed', error, output: [message] };
    for (const state of [
      fold(...stream, event('response.failed', { response: failed })),
      fold(body(failed)),
    ]) {
      expect(state.streamError).toEqual(error);
      expect(view(state).content).toBe('I look it up.');
    }
    const unnamed = fold(event('response.failed', { response: { status: 'failed' } }));
    expect(unnamed.streamError).toEqual({ message: 'The response failed.' });
  });

  it('separates the paragraphs of several messages and of plain reasoning', () => {
    const second = {
      ...message,
      id: 'msg_2',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    };
    const refused = { ...message, id: 'msg_3', content: [{ type: 'refusal', refusal: 'No.' }] };
    const plain = {
      type: 'reasoning',
      id: 'rs_2',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'Hm.' }],
    };
    const items = [plain, message, second, refused];
    const texts = [
      piece('reasoning_text.delta', 0, { content_index: 0, delta: 'Hm.' }),
      piece('reasoning_text.done', 0, { content_index: 0, text: 'Hm.' }),
      piece('output_text.delta', 1, { content_index: 0, delta: 'I look it up.' }),
      piece('output_text.delta', 2, { content_index: 0, delta: 'Done.' }),
      piece('refusal.delta', 3, { content_index: 0, delta: 'N' }),
      piece('refusal.delta', 3, { content_index: 0, delta: 'o.' }),
      piece('refusal.done', 3, { content_index: 0, refusal: 'No.' }),
    ];
    const end = { ...completed, output: items };
    const last = event('response.completed', { response: end });
    for (const state of [fold(...texts, last, finish), fold(body(end))]) {
      expect(view(state)).toMatchObject({
        ...{
          content: 'I look it up.\n\nDone.',
          reasoning: 'Hm.',
          refusal: 'No.',
          isEncrypted: false,
        },
      });
    }
  });

  it('shows equal parts of a message twice', () => {
    const part = { type: 'output_text', text: 'Ha', annotations: [] };
    const item = { ...message, content: [part, part] };
    const ended = { ...completed, output: [item] };
    for (const state of [fold(done(0, item), finish), fold(body(ended))]) {
      expect(view(state).content).toBe('HaHa');
    }
  });

  it('ignores another position of text that has already arrived', () => {
    const state = fold(
      piece('output_text.delta', 1, { content_index: 0, delta: 'Four' }),
      piece('output_text.done', 1, { content_index: 1, text: 'Four' }),
      piece('content_part.done', 1, { content_index: 1, part: { type: 'output_text', text: '' } }),
      done(1, { ...message, content: [] }),
      finish,
    );
    expect(view(state).content).toBe('Four');
  });

  it('shows web citations and files as sources, and the provider’s tools as other fields', () => {
    const url = {
      type: 'url_citation',
      url: 'https://example.com/',
      title: 'Example',
      start_index: 0,
      end_index: 6,
    };
    const file = { type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: 6 };
    const cited = {
      ...message,
      content: [{ type: 'output_text', text: 'Found.', annotations: [url, file] }],
    };
    const search = {
      id: 'ws_1',
      type: 'web_search_call',
      status: 'completed',
      action: {
        type: 'search',
        query: 'gate',
        sources: [{ type: 'url', url: 'https://example.org/' }],
      },
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
      error: null,
    };
    const unknown = { id: 'u_1', type: 'quantum_call', qubits: [1, 2] };
    const items = [search, code, mcp, unknown, cited];
    const events = [
      added(0, { ...search, status: 'in_progress', action: { type: 'search', query: '' } }),
      piece('web_search_call.in_progress', 0, {}),
      piece('web_search_call.searching', 0, {}),
      piece('web_search_call.completed', 0, {}),
      done(0, search),
      added(1, { ...code, status: 'in_progress', code: '', outputs: null }),
      piece('code_interpreter_call_code.delta', 1, { delta: 'print' }),
      piece('code_interpreter_call_code.done', 1, { code: 'print(1)' }),
      piece('code_interpreter_call.interpreting', 1, {}),
      done(1, code),
      added(2, { ...mcp, arguments: '', output: null }),
      piece('mcp_call_arguments.delta', 2, { delta: '{' }),
      piece('mcp_call_arguments.done', 2, { arguments: '{}' }),
      piece('mcp_call.completed', 2, {}),
      done(2, mcp),
      added(3, unknown),
      done(3, unknown),
      piece('output_text.delta', 4, { content_index: 0, delta: 'Found.' }),
      piece('output_text.annotation.added', 4, {
        content_index: 0,
        annotation_index: 0,
        annotation: url,
      }),
      done(4, cited),
      event('response.completed', { response: { ...completed, output: items } }),
      finish,
    ];
    for (const state of [fold(...events), fold(body({ ...completed, output: items }))]) {
      const choice = getChoice(state);
      expect(viewAnswer(choice)).toMatchObject({ content: 'Found.', toolCalls: [] });
      const { items: shown } = viewAnswer(choice).otherFields;
      const { error: _, ...mcpShown } = mcp;
      expect(shown).toMatchObject([search, code, mcpShown, unknown]);
      expect(viewAnswer(choice).steps).toEqual([
        { title: 'Web search', text: 'gate', status: 'completed' },
        { title: 'Code interpreter', text: 'print(1)', status: 'completed' },
        { title: 'MCP call', text: 'docs: ask({})', status: expect.toBeOneOf([null, 'completed']) },
        { title: 'Quantum call', text: '', status: null },
      ]);
      expect(chatOperation.response(state).sections).toContainEqual(
        expect.objectContaining({ title: 'Built-in tools', text: expect.stringContaining('gate') }),
      );
      expect(state.other).toEqual({});
      const sources = readSources(state, choice).map((source) => source.url ?? source.title);
      expect(sources.sort()).toEqual(['a.pdf', 'https://example.com/', 'https://example.org/']);
      const sent = sendInput(user, {
        role: 'assistant',
        content: 'Found.',
        items: choice.message.items ?? null,
      });
      expect(sent).toMatchObject([user, search, code, mcpShown, unknown, cited]);
    }
  });

  it('shows a generated image, which replaces its previews', () => {
    const image = {
      id: 'ig_1',
      type: 'image_generation_call',
      status: 'completed',
      result: 'media:0123456789abcdeffinal',
    };
    const preview = (index: number, media: string) =>
      piece('image_generation_call.partial_image', 0, {
        partial_image_index: index,
        partial_image_b64: media,
      });
    const events = [
      added(0, { ...image, status: 'in_progress', result: null }),
      piece('image_generation_call.generating', 0, {}),
      preview(0, 'media:0123456789abcdefone'),
      preview(1, 'media:0123456789abcdeftwo'),
      done(0, image),
      event('response.completed', { response: { ...completed, output: [image] } }),
      finish,
    ];
    const urls = (state: ChatState) =>
      view(state).parts.map(({ part }) => part.type === 'image_url' && part.image_url.url);
    expect(urls(fold(...events.slice(0, 4)))).toEqual(['media:0123456789abcdeftwo']);
    for (const state of [fold(...events), fold(body({ ...completed, output: [image] }))]) {
      expect(urls(state)).toEqual(['media:0123456789abcdeffinal']);
      expect(chatOperation.noResult(state, [])).toBeNull();
      const plain = { name: null, toolCallId: null, audio: null, reasoning: null, toolCalls: [] };
      const asked = { ...plain, role: 'user' as const, content: 'Draw', wire: null };
      const wire = { format: 'responses', message: getChoice(state).message };
      const answer = { ...plain, role: 'assistant' as const, content: 'Here.', wire };
      const options = { providerFields: 'automatic' as const, format: 'responses', now: 0 };
      expect(sendInput(...buildChatMessages('', [asked, answer], options))).toEqual([
        { role: 'user', content: 'Draw' },
        image,
      ]);
    }
  });

  it('reads token probabilities and spoken answers', () => {
    const chance = { token: 'Four', logprob: -0.1, top_logprobs: [{ token: 'Five', logprob: -2 }] };
    const text = { type: 'output_text', text: 'Four', annotations: [], logprobs: [chance] };
    const item = { ...message, content: [text] };
    const end = event('response.completed', { response: { ...completed, output: [item] } });
    const delta = piece('output_text.delta', 0, {
      content_index: 0,
      delta: 'Four',
      logprobs: [chance],
    });
    for (const state of [
      fold(delta, done(0, item), end),
      fold(end),
      fold(body({ ...completed, output: [item] })),
    ]) {
      expect(readTokens(getChoice(state).logprobs)).toMatchObject([{ text: 'Four' }]);
    }
    const spoken = fold(
      event('response.audio.delta', { delta: 'media:0123456789abcdefsound' }),
      event('response.audio.transcript.delta', { delta: 'Four' }),
      event('response.audio.done'),
    );
    expect(view(spoken).audio).toMatchObject({
      media: '0123456789abcdefsound',
      transcript: 'Four',
    });
  });

  it.each<[string, RunEventBody, Partial<ChatState>]>([
    [
      'an error event',
      event('error', { code: 'rate_limit', message: 'Slow down', param: null }),
      { streamError: expect.objectContaining({ code: 'rate_limit', message: 'Slow down' }) },
    ],
    [
      'an error without an event name',
      chunk({ type: 'error', error: { message: 'Slow down' } }),
      { streamError: { message: 'Slow down' } },
    ],
    [
      'an unknown event',
      event('response.billing', { credits: 3 }),
      {
        other: { 'response.billing': { credits: 3, type: 'response.billing', sequence_number: 1 } },
      },
    ],
    ['HTML', body('<html>'), { unreadable: true }],
    ['a body of another format', body({ content: [] }), { unreadable: true }],
    ['a chunk without a type', chunk({ id: 'x' }), { streamError: null }],
  ])('keeps everything received before %s', (_name, odd, expected) => {
    const state = fold(...stream.slice(0, 14), odd);
    expect(state).toMatchObject(expected);
    expect(view(state).content).toBe('I look it up.');
  });

  it('reads events of any shape without an error', () => {
    const random = createRandom(20261128);
    const next = () => random.next();
    const types = stream.map((one) => (one.kind === 'chunk' ? one.event : null));
    for (let round = 0; round < 2000; round += 1) {
      const type = types[random.between(0, types.length - 1)] ?? null;
      const shape = () => randomReply(next, 3);
      const item = { type: 'message', content: [shape()], summary: shape(), arguments: shape() };
      const fields = {
        ...{ output_index: randomReply(next, 1), content_index: shape(), delta: shape() },
        ...{ item: random.chance(0.5) ? item : shape(), part: shape(), response: shape() },
      };
      const odd = chunk({ type, ...fields });
      const whole = body({ output: [shape(), item], status: shape(), usage: shape() });
      for (const state of [fold(...stream.slice(0, 14), odd, odd, ending, finish), fold(whole)]) {
        expect(() => chatOperation.response(state), JSON.stringify(fields)).not.toThrow();
      }
    }
  });

  it('is the same wherever the bytes of the stream are cut', async () => {
    const bytes = Buffer.from(
      [...stream, ending]
        .map((sent) =>
          sent.kind === 'chunk' ? `event: ${sent.event}\ndata: ${sent.data}\n\n` : '',
        )
        .join(''),
    );
    const expected = fold(...stream, ending, finish).choices;
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const events = await readEvents([bytes.subarray(0, cut), bytes.subarray(cut)], null);
      const read = events.map((one) => chunk(typeof one === 'string' ? one : one.data));
      expect(fold(...read, finish).choices, `cut at ${cut}`).toEqual(expected);
    }
  });
});
