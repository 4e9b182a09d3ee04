import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { fn, openFormat, user } from './support/chat-format.ts';

const MODEL = 'gpt-5.1';
const include = ['reasoning.encrypted_content'];
const { send, sendMessages } = openFormat('responses', MODEL);

const schema = { type: 'object' };
const jsonSchema = (json_schema: JsonObject) => ({
  response_format: { type: 'json_schema', json_schema },
});
const inText = (fields: JsonObject) => ({ text: { format: { type: 'json_schema', ...fields } } });
const grammar = { syntax: 'lark', definition: 'd' };
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
const inputImage = { type: 'input_image', image_url: image.image_url.url, detail: 'auto' };

describe('a request in the Responses format', () => {
  it('uses its own endpoint, omits the format field and asks not to be stored', () => {
    const sent = { model: MODEL, input: [user], store: false, include };
    expect(send({})).toEqual({ method: 'POST', path: '/v1/responses', body: sent });
  });

  it.each<[string, JsonObject, JsonObject?]>([
    ['the same fields', { temperature: 0.2, top_p: 0.9, stream: true }],
    ['the same tool fields', { parallel_tool_calls: false }],
    ['users', { user: 'u1', safety_identifier: 's1' }],
    ['max_tokens', { max_tokens: 9 }, { max_output_tokens: 9 }],
    ['the newer limit', { max_completion_tokens: 8, max_tokens: 9 }, { max_output_tokens: 8 }],
    ['any effort', { reasoning_effort: 'xhigh' }, { reasoning: { effort: 'xhigh' } }],
    ['a summary', { reasoning_summary: 'auto' }, { reasoning: { summary: 'auto' } }],
    [
      'effort and summary',
      { reasoning_effort: 'low', reasoning_summary: 'detailed' },
      { reasoning: { effort: 'low', summary: 'detailed' } },
    ],
    [
      'JSON',
      { response_format: { type: 'json_object' } },
      { text: { format: { type: 'json_object' } } },
    ],
    [
      'a schema',
      jsonSchema({ name: 'n', strict: true, schema }),
      inText({ name: 'n', schema, strict: true }),
    ],
    ['a schema without a name', jsonSchema(schema), inText({ name: 'answer', schema })],
    [
      'token probabilities',
      { logprobs: true, top_logprobs: 3 },
      { top_logprobs: 3, include: [...include, 'message.output_text.logprobs'] },
    ],
    ['storage', { store: true, include: [] }],
    ['what to include', { include: ['file_search_call.results'] }],
    ['tool choice auto', { tool_choice: 'auto' }],
    ['a named tool', { tool_choice: fn('a') }, { tool_choice: { type: 'function', name: 'a' } }],
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
          allowed_tools: { mode: 'auto', tools: [fn('a')] },
        },
      },
      {
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [{ type: 'function', name: 'a' }],
        },
      },
    ],
    [
      'tools, which are strict only on request',
      {
        tools: [
          fn('a', { description: 'A', parameters: { x: 1 } }),
          fn('b', { strict: true }),
          { type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar } } },
          { type: 'web_search' },
        ],
      },
      {
        tools: [
          {
            type: 'function',
            name: 'a',
            description: 'A',
            parameters: { type: 'object', properties: {}, x: 1 },
            strict: false,
          },
          { type: 'function', name: 'b', parameters: { ...schema, properties: {} }, strict: true },
          { type: 'custom', name: 'c', format: { type: 'grammar', ...grammar } },
          { type: 'web_search' },
        ],
      },
    ],
  ])('sends %s', (_name, request, sent = request) => {
    const { input: _, model: __, include: asked = [], ...others } = send(request).body;
    expect({ ...others, include: asked }).toEqual({ store: false, include, ...sent });
  });

  it.each([
    ['gpt-4o-mini', false],
    ['openai/gpt-4.1', false],
    ['gpt-5-chat-latest', false],
    ['gpt-5-mini', true],
    ['o3', true],
    ['grok-4', true],
  ])('requests encrypted reasoning only from models that may reason: %s', (model, isRequested) => {
    expect(send({ model }).body.include).toEqual(isRequested ? include : undefined);
    expect(send({ model, store: true }).body.include).toBeUndefined();
  });

  it('omits what the format can’t send, and adds extra body fields last', () => {
    const unsent = { seed: 1, n: 2, stop: ['a'], presence_penalty: 1, stream_options: {} };
    const extra = { store: true, truncation: 'auto' };
    const { body: sent } = send({ ...unsent, modalities: ['text'] }, extra);
    expect(Object.keys(sent).sort()).toEqual(['include', 'input', 'model', 'store', 'truncation']);
    expect(sent).toMatchObject(extra);
  });

  it('sends the first system message as instructions, and others in place', () => {
    const system = { role: 'system', content: 'Be brief.' };
    const later = { role: 'system', content: 'Really.' };
    const developer = { role: 'developer', content: 'Be brief.' };
    const input = [user, later];
    expect(sendMessages(system, ...input)).toMatchObject({ instructions: 'Be brief.', input });
    expect(sendMessages(developer, user)).toMatchObject({ input: [developer, user] });
    const content = ['A', 'B'].map((text) => ({ type: 'text', text }));
    expect(sendMessages({ ...system, content }, user)).toMatchObject({ instructions: 'A\n\nB' });
  });

  it('sends images, files and audio, and names unsupported parts', () => {
    const file_data = 'data:application/pdf;base64,QUJD';
    const audio = { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } };
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'high' } },
      image,
      { type: 'file', file: { filename: 'a.pdf', file_data } },
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
      audio,
      { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
      { type: 'text', text: '' },
    ];
    const sent = [
      { type: 'input_text', text: 'See' },
      { type: 'input_image', image_url: 'data:image/png;base64,QUJD', detail: 'high' },
      inputImage,
      { type: 'input_file', filename: 'a.pdf', file_data },
      { type: 'input_file', file_id: 'file_1' },
      { type: 'input_file', file_url: 'https://example.com/a.pdf' },
      audio,
      { type: 'input_text', text: '[video not sent]' },
    ];
    expect(sendMessages({ ...user, content }).input).toEqual([{ ...user, content: sent }]);
  });

  it('sends calls and results as items, including custom ones', () => {
    const call = { id: 'a', ...fn('find', { arguments: '{"q":1}' }) };
    const custom = { id: 'c', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } };
    const { input } = sendMessages(
      user,
      { role: 'assistant', content: 'I look.', tool_calls: [call, custom] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'c', content: [image] },
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: '2' },
      { role: 'assistant', content: [{ type: 'text', text: 'Here: ' }, image] },
    );
    expect(input).toEqual([
      user,
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: '{"q":1}' },
      { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT 1' },
      { type: 'function_call_output', call_id: 'a', output: '1' },
      { type: 'custom_tool_call_output', call_id: 'c', output: [inputImage] },
      { type: 'function_call', call_id: 'function_call', name: 'old', arguments: '{}' },
      { type: 'function_call_output', call_id: 'function_call', output: '2' },
      { role: 'assistant', content: 'Here: [image not sent]' },
    ]);
  });

  it('sends reasoning back only with its content, and omits the ID of unstored items', () => {
    const summary = [{ type: 'summary_text', text: 'S' }];
    const indexed = [{ type: 'summary_text', text: 'S', index: 0 }];
    const encrypted = { type: 'reasoning', encrypted_content: 'x' };
    const content = [{ type: 'reasoning_text', text: 'T' }];
    const open = { type: 'reasoning', id: 'rs_2', content };
    const bare = { type: 'reasoning', id: 'rs_3', summary: [] };
    const part = { type: 'output_text', text: 'Half' };
    const unfinished = { type: 'message', status: 'in_progress', content: [part] };
    const items = [
      { ...encrypted, index: 0, id: 'rs_1', summary: indexed },
      open,
      bare,
      unfinished,
    ];
    const messages = [user, { role: 'assistant', content: 'Half', items }];
    const half = { type: 'message', role: 'assistant', content: [{ ...part, annotations: [] }] };
    const opened = { ...open, summary: [] };
    const sent = { ...encrypted, summary };
    expect(send({ messages }).body.input).toEqual([user, sent, opened, half]);
    const stored = [user, { ...sent, id: 'rs_1' }, opened, bare, half];
    expect(send({ messages, store: true }).body.input).toEqual(stored);
  });

  it('omits IDs from an answer whose reasoning can’t be sent back', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
    const bare = { type: 'reasoning', id: 'rs_1', summary: [] };
    const items = [bare, { ...call, id: 'fc_1' }];
    const messages = [user, { role: 'assistant', content: null, items }];
    expect(send({ messages }).body.input).toEqual([user, call]);
    expect(send({ messages, store: true }).body.input).toEqual([user, ...items]);
  });
});
