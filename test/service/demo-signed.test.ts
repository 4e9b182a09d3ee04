/** Plays two tool rounds with a model that requires its signatures, and with one that cites. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoGateway } from '../../electron/demo/server.ts';
import type { ProviderFields } from '../../shared/conversation.ts';
import { readRejectedFields } from '../../shared/operations/chat/rejected-fields.ts';
import type { RunView } from '../../shared/run-view.ts';
import { testKey, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { shareClient, user } from './demo-gateway-client.ts';

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

/** Asks for the weather twice, and enters a result for each call. Stops if a run fails. */
async function playRounds(providerFields: ProviderFields, stream: boolean): Promise<RunView[]> {
  const gateway = await startDemoGateway({ port: 0, key: testKey, speed: 1000 });
  onTestFinished(() => gateway.close());
  const services = await startTestServices({ baseUrl: gateway.baseUrl, key: testKey });
  const { id: conversationId, options } = services.conversations.create();
  services.conversations.update(conversationId, { options: { ...options, providerFields } });
  const runs: RunView[] = [];
  let parentId: string | null = null;
  const send = async (message: { role: 'user' | 'tool'; content: string; toolCallId?: string }) => {
    if (runs.at(-1)?.error) return;
    const sent = await services.conversations.send({
      conversationId,
      connectionId: 'environment',
      parentId,
      message,
      extraBody: {},
      request: { model: 'demo-signed', stream, tools: [weather] },
    });
    runs.push(await untilEnded(services, sent.runId));
    parentId = sent.answerIds[0] ?? null;
  };
  for (const city of ['Paris', 'Oslo']) {
    await send({ role: 'user', content: `What is the weather in ${city}?` });
    const { messages } = services.conversations.get(conversationId);
    const [call] = messages.find(({ id }) => id === parentId)?.toolCalls ?? [];
    await send({ role: 'tool', content: 'Sunny', toolCallId: call?.id ?? '' });
  }
  return runs;
}

describe('demo-signed', () => {
  it.each<[ProviderFields, boolean]>([
    ['automatic', true],
    ['automatic', false],
    ['always', true],
  ])('accepts two tool rounds with provider fields %s, streamed: %s', async (fields, stream) => {
    const runs = await playRounds(fields, stream);
    expect(runs.map(({ error }) => error)).toEqual([null, null, null, null]);
    const [, answer] = runs;
    expect(answer?.operation === 'chat' && answer.state.choices[0]?.message).toMatchObject({
      content: expect.stringContaining('**get_weather** returned: Sunny'),
      reasoning_details: [{ type: 'reasoning.text', signature: expect.any(String) }],
    });
  });

  it('rejects a follow-up without signatures, with an error that Gatehouse explains', async () => {
    const runs = await playRounds('never', true);
    expect(runs).toHaveLength(2);
    const error = runs[1]?.error ?? expect.fail();
    expect(error.gateway).toMatchObject({
      status: 400,
      message: expect.stringContaining('missing a thought_signature in functionCall parts'),
    });
    expect(readRejectedFields(error, 'never', [{ role: 'assistant' }])).toEqual({
      explanation: expect.stringContaining('thought_signature'),
      setting: 'always',
    });
  });
});

const client = await shareClient();

describe('the signatures of demo-signed', () => {
  it('match only the content they were created for', async () => {
    const model = 'demo-signed';
    const question = user('What is the weather in Paris?');
    const asked = await client.chat({ model, messages: [question], tools: [weather] });
    const { message } = asked.body.choices[0];
    const [call] = message.tool_calls;
    const result = { role: 'tool', content: 'Sunny', tool_call_id: call.id };
    const send = (changed: object) =>
      client.chat({
        model,
        messages: [question, { ...message, tool_calls: [{ ...call, ...changed }] }, result],
        tools: [weather],
      });
    expect((await send({})).status).toBe(200);
    const other = { ...call.function, arguments: '{"city":"Oslo"}' };
    for (const changed of [{ extra_content: {} }, { function: other }]) {
      const { status, body } = await send(changed);
      expect([status, body.error.param]).toEqual([400, 'messages[1].tool_calls[0]']);
    }
  });
});

describe('demo-cited', () => {
  const request = { model: 'demo-cited', messages: [user('What is a gatehouse?')] };

  it('sends marks, annotations, citations and search results', async () => {
    const { body } = await client.chat(request);
    const { message, logprobs } = body.choices[0];
    expect(message.content).toContain('[1]');
    expect(body.search_results).toHaveLength(body.citations.length);
    expect(body.demo_search).toMatchObject({ simulated: true });
    expect(logprobs).toBeNull();
    for (const { url_citation: cited } of message.annotations) {
      const place = body.citations.indexOf(cited.url) + 1;
      expect(message.content.slice(cited.start_index, cited.end_index)).toMatch(`[${place}]`);
    }
  });

  it('sends log probabilities if requested, including in a stream', async () => {
    const logprobs = { logprobs: true, top_logprobs: 3 };
    const { body } = await client.chat({ ...request, ...logprobs });
    const { content } = body.choices[0].logprobs;
    const text = content.map(({ token }: { token: string }) => token).join('');
    expect(text).toBe(body.choices[0].message.content);
    expect(content[0].top_logprobs).toHaveLength(3);
    const { chunks } = await client.frames('/v1/chat/completions', { ...request, ...logprobs });
    const streamed = chunks.flatMap((chunk) => chunk.choices[0]?.logprobs?.content ?? []);
    expect(streamed).toEqual(content);
    expect(chunks.findLast((chunk) => chunk.choices[0]?.finish_reason)).toMatchObject({
      choices: [{ delta: { annotations: body.choices[0].message.annotations } }],
      citations: body.citations,
    });
  });

  it('sends the log probabilities of a completion, including in a stream', async () => {
    const completion = { model: 'demo-cited', prompt: 'A gatehouse', logprobs: 2 };
    const [choice] = (await (await client.post('/v1/completions', completion)).json()).choices;
    const { tokens, token_logprobs: chances, top_logprobs: others } = choice.logprobs;
    expect(tokens.join('')).toBe(choice.text);
    expect(Object.entries(others[0])).toContainEqual([tokens[0], chances[0]]);
    expect(Object.keys(others[0])).toHaveLength(2);
    const { chunks } = await client.frames('/v1/completions', completion);
    const streamed = chunks.flatMap((chunk) => chunk.choices[0]?.logprobs?.tokens ?? []);
    expect(streamed).toEqual(tokens);
  });
});
