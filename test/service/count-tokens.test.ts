/** Counts the tokens of a chat request at each endpoint that gateways have for it. */
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { serveScript, testKey } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { bodyOf, jsonReply } from '../fixtures/wire-server.ts';

/** Returns the count, and each request as its path and body; missing paths answer with 404. */
async function count(answers: Record<string, JsonValue>, request: JsonObject) {
  const left: Record<string, JsonValue[]> = {};
  for (const [path, answer] of Object.entries(answers)) {
    left[path] = Array.isArray(answer) ? answer : [answer];
  }
  const server = await serveScript(({ request: received, send }) => {
    const answer = left[received.split(' ')[1] ?? '']?.shift();
    return send(answer === undefined ? jsonReply({}, '404 Not Found') : jsonReply(answer));
  });
  const services = await startTestServices({ baseUrl: `${server.url}/v1`, key: testKey });
  const counting = services.conversations.countTokens(
    {
      connectionId: 'environment',
      request: { model: 'm', ...request },
      extraBody: {},
      wireNames: {},
      systemMessage: 'Be brief.',
      providerFields: 'automatic',
      parentId: null,
      message: { role: 'user', content: 'Hello' },
      earlier: [],
    },
    undefined,
  );
  const tokens = await counting.catch((cause: unknown) => cause);
  const sent = server.requests.map((received) => [received.split(' ')[1], bodyOf(received)]);
  return { tokens, sent, requests: server.requests };
}

const user = { role: 'user', content: 'Hello' };
const messages = [{ role: 'system', content: 'Be brief.' }, user];

it('counts Messages, without the fields that its endpoint rejects', async () => {
  const { tokens, sent, requests } = await count(
    { '/v1/messages/count_tokens': { input_tokens: 14 } },
    { format: 'messages', max_tokens: 50, temperature: 0.5, stream: true },
  );
  expect(tokens).toBe(14);
  const system = [{ type: 'text', text: 'Be brief.' }];
  expect(sent).toMatchObject([['/v1/messages/count_tokens', { model: 'm', system }]]);
  expect(sent[0]?.[1]).not.toHaveProperty('max_tokens');
  expect(sent[0]?.[1]).not.toHaveProperty('temperature');
  expect(requests[0]).toMatch(/anthropic-version: /i);
  expect(requests[0]).toContain(`Bearer ${testKey}`);
});

it('counts Responses', async () => {
  const { tokens, sent } = await count(
    { '/v1/responses/input_tokens': { object: 'response.input_tokens', input_tokens: 15 } },
    { format: 'responses', max_completion_tokens: 50 },
  );
  expect(tokens).toBe(15);
  expect(sent).toMatchObject([['/v1/responses/input_tokens', { model: 'm' }]]);
  expect(sent[0]?.[1]).not.toHaveProperty('max_output_tokens');
});

it('counts chat completions with vLLM’s tokenizer', async () => {
  const { tokens, sent } = await count(
    { '/tokenize': { count: 16, max_model_len: 4096, tokens: [1] } },
    { temperature: 0.5 },
  );
  expect(tokens).toBe(16);
  expect(sent).toEqual([['/tokenize', { model: 'm', messages }]]);
});

it('counts the text of llama.cpp’s template', async () => {
  const { tokens, sent } = await count(
    {
      '/tokenize': [{ tokens: [] }, { tokens: [1, 2, 3] }],
      '/apply-template': { prompt: '<s>Hello' },
    },
    {},
  );
  expect(tokens).toBe(3);
  expect(sent).toMatchObject([
    ['/tokenize', { messages }],
    ['/apply-template', { messages }],
    ['/tokenize', { content: '<s>Hello' }],
  ]);
});

it.each(['', 'messages', 'responses'])(
  'says that a gateway doesn’t count tokens in the format %j',
  async (format) => {
    const { tokens } = await count({}, format === '' ? {} : { format });
    expect(tokens).toMatchObject({ error: { kind: 'not-implemented' } });
  },
);
