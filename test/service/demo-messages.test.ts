/** Tests the Messages format of the demo gateway with the official client and with Gatehouse. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { converse } from './converse-in-format.ts';
import { KEY, shareClient } from './demo-gateway-client.ts';

const { gateway } = await shareClient();
const client = new Anthropic({ apiKey: KEY, baseURL: gateway.baseUrl, maxRetries: 0 });

const question: Anthropic.MessageParam = { role: 'user', content: 'Weather in Oslo?' };
const tool: Anthropic.Tool = {
  name: 'get_weather',
  description: 'Weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const request = { model: 'demo-signed', max_tokens: 500, tools: [tool] };

describe('the official client', () => {
  it('streams the same signed thinking and text as a single body', async () => {
    const plain = { model: 'demo-think', max_tokens: 500, messages: [question] };
    const whole = await client.messages.create(plain);
    const stream = client.messages.stream(plain);
    const streamed = await stream.finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(whole).toMatchObject({ role: 'assistant', stop_reason: 'end_turn' });
    expect(whole.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(streamed.usage).toMatchObject(whole.usage);
  });

  it('completes a tool round that sends the thinking back', async () => {
    const asked = await client.messages.stream({ ...request, messages: [question] }).finalMessage();
    const call = asked.content.find((block) => block.type === 'tool_use');
    expect(asked.stop_reason).toBe('tool_use');
    expect(call).toMatchObject({ name: 'get_weather', input: { city: expect.any(String) } });
    const result: Anthropic.ToolResultBlockParam = {
      type: 'tool_result',
      tool_use_id: call?.id ?? '',
      content: 'Sunny',
    };
    const messages: Anthropic.MessageParam[] = [
      question,
      { role: 'assistant', content: asked.content },
      { role: 'user', content: [result] },
    ];
    const { content } = await client.messages.create({ ...request, messages });
    expect(JSON.stringify(content)).toContain('returned: Sunny');
    const forgotten = { role: 'assistant' as const, content: call === undefined ? [] : [call] };
    const second = [question, forgotten, { role: 'user' as const, content: [result] }];
    await expect(client.messages.create({ ...request, messages: second })).rejects.toThrow(
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    );
  });

  it.each([
    ['without a limit', { model: 'demo-story', messages: [question] }, 400, 'max_tokens'],
    ['for an unknown model', { ...request, model: 'x', messages: [question] }, 404, 'not support'],
  ])('throws the error of a request %s', async (_name, odd, status, reason) => {
    const sent = client.post('/v1/messages', { body: odd });
    await expect(sent).rejects.toMatchObject({
      status,
      error: { type: 'error', error: { message: expect.stringContaining(reason) } },
    });
  });
});

describe('a conversation in the Messages format', () => {
  const turn = { text: 'Weather in Oslo?', format: 'messages', model: 'demo-signed' };

  it('completes two tool rounds with a model that requires its signatures', async () => {
    const { runs, sent } = await converse(turn, { ...turn, text: 'And in Paris?' });
    expect(runs.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(sent.map((one) => new URL(one?.url ?? '').pathname)).toEqual(
      Array(4).fill('/v1/messages'),
    );
    const version = ['anthropic-version', '2023-06-01'];
    expect(sent[0]?.headers).toContainEqual(version);
    expect(runs[1]?.operation === 'chat' && runs[1].state.choices[0]?.message.content).toContain(
      'returned: Sunny',
    );
  });

  it('switches formats between answers, and keeps texts and calls', async () => {
    const { runs, sent } = await converse(
      { ...turn, model: 'demo-tools' },
      { text: 'And now?', format: null, model: 'demo-echo' },
      { text: 'And again?', format: 'messages', model: 'demo-echo' },
    );
    expect(runs.every(({ error }) => error === null)).toBe(true);
    const [chat, blocks] = ['/v1/chat/completions', '/v1/messages'].map((path) => {
      const body = parseJson(sent.findLast((one) => one?.url.endsWith(path))?.body ?? '');
      return isJsonObject(body) ? JSON.stringify(body.messages) : '';
    });
    for (const text of ['Weather in Oslo?', 'Sunny', 'And now?']) {
      expect(chat).toContain(text);
      expect(blocks).toContain(text);
    }
    expect(chat).toContain('"tool_calls"');
    expect(chat).not.toContain('tool_use');
    expect(blocks).toContain('"tool_use"');
    expect(blocks).not.toContain('tool_calls');
  });
});
