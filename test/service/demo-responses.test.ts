/** Tests the Responses format of the demo gateway with the official client and with Gatehouse. */
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { readSources } from '../../shared/operations/chat/sources.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { RunView } from '../../shared/run-view.ts';
import { converse } from './converse-in-format.ts';
import { KEY, shareClient } from './demo-gateway-client.ts';

const { gateway } = await shareClient();
const client = new OpenAI({ apiKey: KEY, baseURL: `${gateway.baseUrl}/v1`, maxRetries: 0 });

type Params = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>;

const question: OpenAI.Responses.EasyInputMessage = { role: 'user', content: 'Weather in Oslo?' };
const tool: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Weather of a city',
  strict: false,
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const request: Params = {
  model: 'demo-signed',
  tools: [tool],
  store: false,
  include: ['reasoning.encrypted_content'],
};

/** Returns the output without random IDs and the fields that the client adds. */
function withoutIds(output: unknown): unknown {
  return JSON.parse(
    JSON.stringify(output, (name, value) =>
      /^(?:id|call_id|parsed|parsed_arguments)$/.test(name) ? undefined : value,
    ),
  );
}

/**
 * Casts output items to input items, whose types differ only for items that are never sent here.
 */
function toInput(output: OpenAI.Responses.ResponseOutputItem[]): OpenAI.Responses.ResponseInput {
  return output.flatMap((item) => {
    const { type } = item;
    return type === 'reasoning' || type === 'message' || type === 'function_call' ? [item] : [];
  });
}

describe('the official client', () => {
  it.each<[string, Params, string[]]>([
    ['reasoning and text', { model: 'demo-think' }, ['reasoning', 'message']],
    ['cited text', { model: 'demo-cited' }, ['message']],
    [
      'a summary and a call',
      { ...request, reasoning: { summary: 'auto', effort: 'low' } },
      ['reasoning', 'function_call'],
    ],
    [
      'an image and text',
      {
        model: 'demo-story',
        tools: [{ type: 'image_generation', partial_images: 1 }],
      },
      ['image_generation_call', 'message'],
    ],
  ])('streams the same %s as a single body', async (_name, params, types) => {
    const plain = { ...params, input: [question] };
    const whole = await client.responses.create(plain);
    const streamed = await client.responses.stream({ ...plain }).finalResponse();
    expect(whole.output.map(({ type }) => type)).toEqual(types);
    expect(withoutIds(streamed.output)).toEqual(withoutIds(whole.output));
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.usage).toEqual(whole.usage);
    expect(whole.status).toBe('completed');
  });

  it('completes two tool rounds that send the encrypted reasoning back', async () => {
    const input: OpenAI.Responses.ResponseInput = [question];
    for (const sky of ['Sunny', 'Cloudy']) {
      const asked = await client.responses.stream({ ...request, input }).finalResponse();
      const call = asked.output.find((item) => item.type === 'function_call');
      expect(JSON.parse(call?.arguments ?? '')).toEqual({ city: expect.any(String) });
      const forgotten = toInput(asked.output).filter(({ type }) => type !== 'reasoning');
      const result: OpenAI.Responses.ResponseInputItem = {
        type: 'function_call_output',
        call_id: call?.call_id ?? '',
        output: sky,
      };
      await expect(
        client.responses.create({ ...request, input: [...input, ...forgotten, result] }),
      ).rejects.toThrow(/without its required 'reasoning' item/);
      input.push(...toInput(asked.output), result);
      const answer = await client.responses.create({ ...request, input });
      expect(answer.output_text).toContain(`returned: ${sky}`);
      input.push(...toInput(answer.output), question);
    }
  });

  it('reads images and reports a truncated answer', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const seen = await client.responses.create({
      model: 'demo-echo',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
          ],
        },
      ],
    });
    expect(seen.output_text).toMatch(/PNG/i);
    const cut = await client.responses
      .stream({ model: 'demo-story', input: 'Go', max_output_tokens: 3 })
      .finalResponse();
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  it.each<[string, object, number, string]>([
    ['without input', { model: 'demo-story' }, 400, 'input'],
    ['for an unknown model', { model: 'x', input: 'Go' }, 404, 'not support'],
    [
      'with changed reasoning',
      {
        ...request,
        input: [
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'QUJD' },
          question,
        ],
      },
      400,
      'could not be verified',
    ],
    [
      'with the ID of reasoning that wasn’t stored',
      { ...request, input: [{ type: 'reasoning', id: 'rs_1', summary: [] }, question] },
      404,
      'Items are not persisted',
    ],
  ])('throws the error of a request %s', async (_name, odd, status, reason) => {
    await expect(client.post('/responses', { body: odd })).rejects.toMatchObject({
      status,
      error: { message: expect.stringContaining(reason) },
    });
  });
});

function getState(run: RunView | undefined) {
  if (run?.operation !== 'chat') throw new Error('no chat');
  const [choice] = run.state.choices;
  if (choice === undefined) throw new Error('no choice');
  return { state: run.state, choice, answer: viewAnswer(choice) };
}

const turn = { text: 'Weather in Oslo?', format: 'responses', model: 'demo-signed' };

describe('a conversation in the Responses format', () => {
  it('completes two tool rounds with a model that requires its reasoning', async () => {
    const { runs, sent } = await converse(turn, { ...turn, text: 'And in Paris?' });
    expect(runs.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(sent.map((one) => new URL(one?.url ?? '').pathname)).toEqual(
      Array(4).fill('/v1/responses'),
    );
    const { answer } = getState(runs[1]);
    expect(answer).toMatchObject({ isEncrypted: true, otherFields: {} });
    expect(answer.content).toContain('returned: Sunny');
    expect(sent[3]?.body).toMatch(
      /"store":false.*"encrypted_content"|"encrypted_content".*"store":false/,
    );
  });

  it('switches formats between answers, and keeps texts and calls', async () => {
    const { runs, sent } = await converse(
      turn,
      { text: 'And now?', format: 'messages', model: 'demo-echo' },
      { text: 'And then?', format: null, model: 'demo-echo' },
      { text: 'And again?', format: 'responses', model: 'demo-echo' },
    );
    expect(runs.every(({ error }) => error === null)).toBe(true);
    const bodies = ['/v1/chat/completions', '/v1/messages', '/v1/responses'].map(
      (path) => sent.findLast((one) => one?.url.endsWith(path))?.body ?? '',
    );
    for (const body of bodies) {
      for (const text of ['Weather in Oslo?', 'Sunny', 'And now?']) expect(body).toContain(text);
    }
    expect(bodies[0]).not.toMatch(/encrypted_content|function_call_output|tool_use/);
    expect(bodies[1]).not.toMatch(/encrypted_content|function_call_output|tool_calls/);
    expect(bodies[2]).toContain('function_call_output');
  });

  it('stores a generated image and its preview once, and sends the image back', async () => {
    const draw = {
      text: 'Draw a gate',
      format: 'responses',
      model: 'demo-echo',
      extraBody: { tools: [{ type: 'image_generation', partial_images: 1 }] },
    };
    const { runs, sent, events } = await converse(draw, {
      ...draw,
      text: 'Once more',
      extraBody: {},
    });
    const { answer } = getState(runs[0]);
    const media = runs[0]?.media ?? [];
    expect(media.map(({ kind }) => kind)).toEqual(['image']);
    // The preview and the image each send one event when they are stored.
    expect(events[0]?.match(/"kind":"media"/g)).toHaveLength(2);
    expect(events[0]).not.toContain('iVBOR');
    expect(answer.parts).toMatchObject([
      { part: { image_url: { url: createMediaReference(media[0]?.id ?? '') } } },
    ]);
    const body = parseJson(sent[1]?.body ?? '');
    const input = isJsonObject(body) && Array.isArray(body.input) ? body.input : [];
    expect(input).toContainEqual(
      expect.objectContaining({
        type: 'image_generation_call',
        result: expect.stringMatching(/^<base64 of /),
      }),
    );
  });

  it('shows sources and token probabilities', async () => {
    const fields = { logprobs: true, top_logprobs: 2 };
    const { runs } = await converse({ ...turn, model: 'demo-cited', fields });
    const [first] = runs;
    const call = getState(first);
    expect(call.answer.toolCalls).toHaveLength(1);
    const { runs: answers } = await converse({
      text: 'Go',
      format: 'responses',
      model: 'demo-cited',
      fields: { ...fields, tools: [] },
    });
    const { state, choice } = getState(answers[0]);
    expect(readSources(state, choice)).toHaveLength(2);
    expect(choice.logprobs).toBeDefined();
  });
});
