import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import {
  areOddArguments,
  readArguments,
  writeArguments,
} from '../../shared/operations/chat/call-arguments.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { nameRejectedTool } from '../../shared/operations/chat/rejected-tool.ts';
import { toHttp } from '../../shared/operations/write-request.ts';
import { fn, user } from './support/chat-format.ts';

function send(format: string | null, ...messages: JsonObject[]): JsonObject {
  const request = { model: 'm', messages: [user, ...messages], ...(format && { format }) };
  return toHttp(chatOperation, { request, extraBody: {}, wireNames: {} }).body;
}

const called: JsonObject = {
  role: 'assistant',
  content: null,
  tool_calls: ['a', 'b'].map((id) => ({ id, ...fn(`tool_${id}`, { arguments: '{}' }) })),
};
const result = (id: string, content: string | JsonObject[], fields: JsonObject = {}) => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...fields,
});
const url = 'data:image/png;base64,QUJD';
const text = { type: 'text', text: 'A harbor' };
const image = { type: 'image_url', image_url: { url } };
const audio = { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } };

describe('tool results', () => {
  const media = [result('b', 'B'), result('a', [text, image, audio])];

  it('go to chat completions in the order of the calls, with media in a user message', () => {
    const { messages } = send(null, called, ...media, { role: 'user', content: 'And?' });
    expect(messages).toEqual([
      user,
      called,
      result('a', 'A harbor'),
      result('b', 'B'),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Returned by the tool tool_a (image, audio):' },
          image,
          audio,
        ],
      },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('go to Responses with images, and audio in a user message', () => {
    const { input } = send('responses', called, ...media);
    expect(input).toMatchObject([
      user,
      { type: 'function_call', call_id: 'a' },
      { type: 'function_call', call_id: 'b' },
      {
        call_id: 'a',
        output: [{ type: 'input_text' }, { type: 'input_image', image_url: url }],
      },
      { call_id: 'b', output: 'B' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Returned by the tool tool_a (audio):' },
          { type: 'input_audio' },
        ],
      },
    ]);
  });

  it('go to Messages with images; audio is named where it was', () => {
    const { messages } = send('messages', called, ...media);
    expect(messages).toMatchObject([
      {},
      {},
      {
        content: [
          {
            tool_use_id: 'a',
            content: [text, { type: 'image' }, { text: '[input audio not sent]' }],
          },
          { tool_use_id: 'b', content: 'B' },
        ],
      },
    ]);
  });

  it.each([
    ['No such port', 'Error: No such port'],
    ['error: none', 'error: none'],
    ['', 'Error: The tool failed.'],
  ])('say that the tool failed: %j', (content, sent) => {
    const failed = result('a', content, { is_error: true });
    const [, , told] = [send(null, called, failed).messages].flat();
    expect(told).toEqual(result('a', sent));
    const items = [send('responses', called, failed).input].flat();
    expect(items.at(-1)).toMatchObject({ output: sent });
    expect(JSON.stringify([told, items])).not.toContain('is_error');
  });
});

describe('arguments of tool calls', () => {
  it.each([
    ['', {}, '{}', false],
    ['null', {}, '{}', true],
    ['"null"', {}, '{}', true],
    ['"{\\"port\\":\\"Brest\\"}"', { port: 'Brest' }, '{"port":"Brest"}', true],
    ['{"port":"Brest"}', { port: 'Brest' }, '{"port":"Brest"}', false],
    ['[1]', null, '[1]', false],
    ['"text"', null, '"text"', false],
    ['{"port":', null, '{"port":', false],
  ])('are read as an object and sent well-formed: %j', (given, read, sent, isOdd) => {
    expect(readArguments(given)).toEqual(read);
    expect(writeArguments(given)).toBe(sent);
    expect(areOddArguments(given)).toBe(isOdd);
  });
});

describe('a rejection that counts tools', () => {
  const tools = [fn('one'), fn('two'), { type: 'web_search' }];

  it.each([
    ['tools.1.custom.input_schema: not supported', 'Tool 1, counted from 0, is two.'],
    [
      "Invalid schema at 'tools[0].function_declarations[1].parameters'",
      'Tool 1, counted from 0, is two.',
    ],
    ["body, 'tools', 2", 'Tool 2, counted from 0, is web_search.'],
    ['tools[2].type: unknown', 'Tool 2, counted from 0, is web_search.'],
    ['tools[1]: two is invalid', null],
    ['tools[7]: invalid', null],
    ['No tools here', null],
  ])('names the tool of %j', (message, expected) => {
    expect(nameRejectedTool({ message, param: null }, tools)).toBe(expected);
  });
});
