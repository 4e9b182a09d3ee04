import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../shared/exact-number.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import { writeBody } from '../../shared/operations/write-request.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { fn } from './support/chat-format.ts';
import { again, conversation, decode, media, text, tools } from './support/decoding.ts';

const chat = (format: string, body: JsonObject) => decode('chat', body, { format });
const hi = { role: 'user', content: 'Hi' };
const system = { role: 'system', content: 'S' };

describe('a request body', () => {
  it('fills the fields of its format', () => {
    const request = {
      format: 'messages',
      model: 'claude',
      messages: conversation,
      tools,
      max_tokens: 9,
      tool_choice: 'required',
      parallel_tool_calls: false,
      user: 'u',
      cache_control: true,
      reasoning_effort: 'high',
      thinking: { type: 'enabled', budget_tokens: 9 },
      stop: ['x'],
    };
    const input = { request, extraBody: {}, wireNames: {} };
    const body = writeBody(operations.chat, input);
    expect(chat('messages', body)).toEqual({ ...input, problems: [] });
  });

  it('fills fields from the instructions, items and nested fields of Responses', () => {
    const json_schema = { name: 'n', schema: { type: 'object' }, strict: true };
    const request = {
      format: 'responses',
      model: 'gpt-5.1',
      messages: conversation,
      tools,
      logprobs: true,
      tool_choice: fn('find'),
      max_completion_tokens: 9,
      reasoning_effort: 'low',
      store: true,
      reasoning_summary: 'auto',
      response_format: { type: 'json_schema', json_schema },
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
        format: 'images',
        model: 'm',
        n: 2,
        contents: [{ role: 'user', parts: [{ inlineData: { data: media } }, { text: 'Night' }] }],
      },
    ],
    [
      'seconds and a size',
      'video',
      { model: 'm', prompt: 'Sea', seconds: '8', size: '1280x720', input_reference: media },
      {
        format: 'videos',
        model: 'm',
        prompt: 'Sea',
        image: media,
        duration: 8,
        width: 1280,
        height: 720,
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
        role: 'assistant',
        content: 'So',
        items: blocks,
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
    [
      { image: { url: 'f' }, reference_images: [{ url: 'a' }, { url: 'b' }] },
      { image: 'f', images: ['a', 'b'] },
      { image: 'image.url', images: 'reference_images.url' },
    ],
    [{ reference_images: ['a'] }, { images: ['a'] }, { images: 'reference_images' }],
  ])('keeps the field names of a video’s images: %j', (fields, request, wireNames) => {
    const read = decode('video', { model: 'm', ...fields });
    expect(read).toMatchObject({ request: { model: 'm', ...request }, wireNames });
  });
});
