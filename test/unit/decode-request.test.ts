import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../shared/exact-number.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { decodeRequest } from '../../shared/operations/decode-request.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../shared/operations/operations.ts';
import { writeBody } from '../../shared/operations/write-request.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { inputs, jsonValue } from '../fixtures/property.ts';
import { fn } from './support/chat-format.ts';

type Options = Parameters<typeof decodeRequest>[2];

function decode(name: OperationName, body: JsonObject, options: Options = {}) {
  return decodeRequest(name, body, options);
}

function again(name: OperationName, body: JsonObject, options: Options = {}): JsonObject {
  return writeBody(operations[name], decode(name, body, options));
}

const chat = (format: string, body: JsonObject) => decode('chat', body, { format });
const text = (words: string) => ({ type: 'text', text: words });
const PNG = 'data:image/png;base64,QUJD';
const media = `media:${'a'.repeat(22)}`;

const hi = { role: 'user', content: 'Hi' };
const system = { role: 'system', content: 'S' };
const tools = [fn('find', { description: 'F', parameters: { type: 'object' } })];
const conversation: JsonValue[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [text('Look'), { type: 'image_url', image_url: { url: PNG } }] },
  {
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: [
      { id: 'c1', ...fn('find', { arguments: '{"q":12345678901234567890}' }) },
      { id: 'c2', ...fn('find', { arguments: '{}' }) },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'One' },
  { role: 'tool', tool_call_id: 'c2', content: [text('Two')] },
  { role: 'user', content: 'Go on' },
];

describe('a request body', () => {
  it('fills the fields of its format', () => {
    const request = {
      ...{ format: 'messages', model: 'claude', messages: conversation, tools, max_tokens: 9 },
      ...{ tool_choice: 'required', parallel_tool_calls: false, user: 'u', cache_control: true },
      ...{ reasoning_effort: 'high', thinking: { type: 'enabled', budget_tokens: 9 }, stop: ['x'] },
    };
    const input = { request, extraBody: {}, wireNames: {} };
    const body = writeBody(operations.chat, input);
    expect(chat('messages', body)).toEqual({ ...input, problems: [] });
  });

  it('fills fields from the instructions, items and nested fields of Responses', () => {
    const json_schema = { name: 'n', schema: { type: 'object' }, strict: true };
    const request = {
      ...{ format: 'responses', model: 'gpt-5.1', messages: conversation, tools, logprobs: true },
      ...{
        tool_choice: fn('find'),
        max_completion_tokens: 9,
        reasoning_effort: 'low',
        store: true,
      },
      ...{ reasoning_summary: 'auto', response_format: { type: 'json_schema', json_schema } },
    };
    const input = { request: { ...request, include: [] }, extraBody: {}, wireNames: {} };
    const read = chat('responses', writeBody(operations.chat, input));
    expect(read).toMatchObject({ extraBody: {}, problems: [] });
    expect(read.request).toEqual(request);
  });

  it.each<[string, OperationName, JsonObject, JsonObject]>([
    [
      'text in place of blocks',
      'chat',
      { model: 'm', system: 'S', messages: [hi], max_tokens: 5 },
      { format: 'messages', model: 'm', max_tokens: 5, messages: [system, hi] },
    ],
    ['text as the input', 'chat', { input: 'Hi' }, { format: 'responses', messages: [hi] }],
    [
      'a system message among the items',
      'chat',
      {
        input: [system, { type: 'message', ...hi, content: [{ type: 'input_text', text: 'Hi' }] }],
      },
      { format: 'responses', messages: [system, { ...hi, content: [text('Hi')] }] },
    ],
    ['one input', 'embeddings', { model: 'm', input: 'Hi' }, { model: 'm', input: ['Hi'] }],
    [
      'no role',
      'image',
      { contents: [{ parts: [{ text: 'Night' }] }] },
      { contents: [{ role: 'user', parts: [{ text: 'Night' }] }] },
    ],
    [
      'an upload',
      'image',
      { model: 'm', prompt: 'Night', 'image[]': [media], n: 2 },
      {
        ...{ format: 'images', model: 'm', n: 2 },
        contents: [{ role: 'user', parts: [{ inlineData: { data: media } }, { text: 'Night' }] }],
      },
    ],
    [
      'seconds and a size',
      'video',
      { model: 'm', prompt: 'Sea', seconds: '8', size: '1280x720', input_reference: media },
      {
        ...{ format: 'videos', model: 'm', prompt: 'Sea', image: media },
        ...{ duration: 8, width: 1280, height: 720 },
      },
    ],
  ])('accepts %s', (_name, operation, body, request) => {
    const format = String(request.format ?? '');
    expect(decode(operation, body, { format })).toMatchObject({ request, extraBody: {} });
  });

  it('keeps unknown fields and values that a field can’t hold as extra body fields', () => {
    const body = { model: 'm', messages: conversation, temperature: 5, top_k: 3, format: 'x' };
    expect(decode('chat', body)).toEqual({
      request: { model: 'm', messages: conversation },
      extraBody: { temperature: 5, top_k: 3, format: 'x' },
      wireNames: {},
      problems: [{ path: ['temperature'], message: 'Enter a number from 0 to 2.' }],
    });
  });

  const bodies: Record<string, JsonObject> = {
    responses: { model: 'gpt-4.1', input: [hi] },
    messages: { model: 'm', messages: [{ ...hi, content: [text('Hi')] }] },
    '': { model: 'm', messages: [hi] },
  };
  it.each<[string, string, JsonObject]>([
    ['a tool of the provider', 'messages', { tools: [{ type: 'web_search_20250305' }] }],
    ['another key', 'responses', { text: { format: { type: 'text' }, verbosity: 'low' } }],
    ['a field that the format doesn’t send', 'messages', { seed: 1 }],
    ['a field that needs another one', '', { stream_options: { include_usage: true } }],
    ['a field of Gatehouse', '', { format: 'messages' }],
  ])('keeps %s unchanged and out of the form', (_name, format, extra) => {
    const { request, extraBody } = chat(format, { ...bodies[format], ...extra });
    expect(extraBody).toEqual(extra);
    const { model: _m, messages: _s, format: _f, ...fields } = request;
    expect(fields).toEqual({});
  });

  it('keeps the blocks and items of answers unchanged', () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      text('So'),
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
    ];
    const messages = [
      { role: 'user', content: [text('Hi')] },
      { role: 'assistant', content: blocks },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '1' }] },
    ];
    const body = { model: 'm', messages, max_tokens: 4096 };
    expect(again('chat', body, { format: 'messages' })).toEqual(body);
    expect(chat('messages', body).request.messages).toEqual([
      hi,
      {
        ...{ role: 'assistant', content: 'So', items: blocks },
        tool_calls: [{ id: 't', ...fn('f', { arguments: '{"a":1}' }) }],
      },
      { role: 'tool', tool_call_id: 't', content: '1' },
    ]);
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'e' };
    const input = [
      hi,
      reasoning,
      { type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: '1' },
      { role: 'assistant', content: 'Done' },
    ];
    const include = ['reasoning.encrypted_content'];
    const responses = { model: 'gpt-5', input, store: false, include };
    expect(again('chat', responses, { format: 'responses' })).toEqual(responses);
    expect(chat('responses', responses).request).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'c' }], items: [reasoning, { id: 'i' }] },
        { role: 'tool', tool_call_id: 'c' },
        { role: 'assistant', content: 'Done' },
      ],
    });
  });

  it('keeps every digit of a long number', () => {
    const body = parseJson('{"model":"m","prompt":"a","seed":12345678901234567890,"top_k":1e400}');
    const read = decode('video', body as JsonObject);
    expect(read.request.seed).toEqual(new ExactNumber('12345678901234567890'));
    expect(JSON.stringify(read.extraBody)).toBe('{"top_k":1e400}');
  });

  it('prefers the form’s field if two fields share a name', () => {
    const body = { model: 'm', messages: [], max_tokens: 9 };
    const current = { max_completion_tokens: 8 };
    expect(decode('chat', body, { format: 'messages', current }).request).toMatchObject({
      max_completion_tokens: 9,
    });
  });

  it('keeps every item even if the form shows only its text', () => {
    const documents = [{ text: 'a', id: 1 }, 'b'];
    const body = { model: 'm', query: 'q', documents };
    const hold = (request: JsonObject) => ({ ...request, documents: ['a', 'b'] });
    const read = decode('rerank', body, { hold });
    expect(read).toMatchObject({ request: body, extraBody: { documents } });
  });

  const frame = (url: string, frame_type: string) => ({
    type: 'image_url',
    image_url: { url },
    frame_type,
  });
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ first_frame_image: 'a' }, { image: 'a' }, { image: 'first_frame_image' }],
    [{ images: ['a'] }, { images: ['a'] }, {}],
    [
      { frame_images: [frame('f', 'first_frame'), frame('l', 'last_frame')] },
      { image: 'f', last_frame: 'l' },
      { image: 'frame_images', last_frame: 'frame_images' },
    ],
  ])('keeps the field names of a video’s images: %j', (fields, request, wireNames) => {
    const read = decode('video', { model: 'm', ...fields });
    expect(read).toMatchObject({ request: { model: 'm', ...request }, wireNames });
  });
});

/** Generates valid values for the fields with a control, within their options and limits. */
function requestsOf(name: OperationName, format: string): fc.Arbitrary<JsonObject> {
  const messages = fc
    .subarray(conversation.slice(1), { minLength: 1 })
    .map((chosen) => [...conversation.slice(0, 1), ...chosen]);
  const required: Partial<Record<OperationName, fc.Arbitrary<JsonObject>>> = {
    chat: messages.map((list) => ({ messages: list })),
    image: fc.record({
      contents: fc.constantFrom<JsonValue>(
        [{ role: 'user', parts: [{ text: 'A' }] }],
        [{ role: 'user', parts: [{ inlineData: { data: media } }, { text: 'A' }] }],
      ),
      ...(format === '' && { generationConfig: fc.constant({ responseModalities: ['IMAGE'] }) }),
    }),
    embeddings: fc.constant({ input: ['a', { image: media }] }),
    rerank: fc.constant({ query: 'q', documents: ['a', { text: 'b' }] }),
    speech: fc.constant({ input: 'a' }),
    transcription: fc.constant({ file: media }),
    completion: fc.constant({ prompt: 'a', suffix: 'b' }),
    video: fc.record(
      {
        prompt: fc.constant('p'),
        image: fc.constantFrom('https://a/b.png', media),
        images: fc.constant(['https://a/c.png', media]),
        metadata: fc.constant({ style: 'x', more: { a: [1] } }),
      },
      { requiredKeys: ['prompt'] },
    ),
  };
  const fields: Record<string, fc.Arbitrary<JsonValue>> = {};
  const values: JsonObject = {
    ...{ temperature: 0.5, top_p: 0.5, presence_penalty: 1, frequency_penalty: -1, seed: 7 },
    ...{ max_tokens: 5, max_completion_tokens: 6, stop: ['a'], n: 2, stream: true, store: true },
    ...{ stream_options: { include_usage: true }, tools, tool_choice: 'auto', user: 'u' },
    ...{ parallel_tool_calls: false, reasoning_effort: 'high', reasoning_summary: 'auto' },
    ...{ thinking: { type: 'enabled', budget_tokens: 9 }, cache_control: true, logprobs: true },
    ...{ top_logprobs: 2, safety_identifier: 's', logit_bias: { 1: -100 }, modalities: ['text'] },
    ...{ include: ['reasoning.encrypted_content'], response_format: { type: 'json_object' } },
    ...{ duration: 4, width: 10, height: 20, fps: 3, dimensions: 3, encoding_format: 'float' },
    ...{ top_n: 1, return_documents: true, voice: 'v', instructions: 'i', speed: 2 },
    ...{ language: 'en', timestamp_granularities: ['word', 'segment'], size: '1x1', quality: 'q' },
    ...{ background: 'auto', output_format: 'png', partial_images: 2, echo: true },
  };
  const { shape } = requestSchemas[name];
  for (const [field, value] of Object.entries(values)) {
    const schema = shape[field];
    if (schema === undefined || value === undefined) continue;
    if ('safeParse' in schema && !schema.safeParse(value).success) continue;
    fields[field] = fc.constant(value);
  }
  const optional = fc.record(fields, { requiredKeys: [] });
  return fc.tuple(required[name] ?? fc.constant({}), optional).map(([own, parameters]) => ({
    ...{ model: 'gpt-5', ...parameters, ...own },
    ...(format !== '' && { format }),
  }));
}

const cases = operationNameSchema.options
  .filter((name) => name !== 'console')
  .flatMap((name) =>
    ['', ...(operations[name].formats ?? []).map((format) => format.name)].map(
      (format) => [name, format] as const,
    ),
  );

describe.each(cases)('%s in format “%s”', (name, format) => {
  it('reproduces every body that it writes, with any extra fields', () => {
    const names = fc.constantFrom('top_k', 'seed', 'a', 'metadata', 'model');
    const extra = fc.dictionary(names, jsonValue);
    fc.assert(
      fc.property(requestsOf(name, format), extra, (request, extraBody) => {
        const body = writeBody(operations[name], { request, extraBody, wireNames: {} });
        const { model = '' } = request;
        const read = decode(name, body, { format, current: { model } });
        expect(writeBody(operations[name], read)).toEqual(body);
      }),
      inputs(80),
    );
  });

  it('finds a field for everything that a form can send', () => {
    fc.assert(
      fc.property(requestsOf(name, format), (request) => {
        const body = writeBody(operations[name], { request, extraBody: {}, wireNames: {} });
        const { model = '' } = request;
        const isModelInPath = body.model === undefined;
        const read = decode(name, body, { format });
        expect(read).toMatchObject({ extraBody: {}, wireNames: {}, problems: [] });
        expect(isModelInPath || read.request.model === model).toBe(true);
      }),
      inputs(80),
    );
  });

  it('reads any object without failing, and writes back its fields', () => {
    const { shape } = requestSchemas[name];
    const known = 'input instructions system text reasoning image image[] size x'.split(' ');
    const names = fc.constantFrom(...Object.keys(shape), ...known);
    fc.assert(
      fc.property(fc.dictionary(names, jsonValue), (body) => {
        const { extraBody } = decode(name, body, { format });
        const sent = again(name, body, { format });
        for (const [field, value] of Object.entries(extraBody)) expect(sent[field]).toEqual(value);
      }),
      inputs(150),
    );
  });
});
