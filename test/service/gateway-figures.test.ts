/** Plays usage, costs and timings in the shapes that gateways send. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import { getTokenCounts } from '../../shared/operations/response/usage.ts';
import type { Rates } from '../../shared/prices.ts';
import { getResponse } from '../../shared/run-view.ts';
import { type Bench, startBench } from '../fixtures/run-operation.ts';
import { jsonReply, reply } from '../fixtures/wire-server.ts';

const none: Rates = {
  inputPerMillionTokens: null,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  hourCacheWritePerMillionTokens: null,
  outputPerMillionTokens: null,
  perImage: null,
  perVideoSecond: null,
  perMillionCharacters: null,
  perSoundMinute: null,
};
const messages = [{ role: 'user', content: 'go' }];
const choices = [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }];
const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
const events = { 'Content-Type': 'text/event-stream' };

function price({ services }: Bench, rates: Partial<Rates>, id: string | null = null) {
  const row = { connectionId: 'environment', model: 'm', rates: { ...none, ...rates } };
  return services.prices.save(id, row);
}

const chat = (bench: Bench, more: JsonObject = {}) =>
  bench.run('chat', { model: 'm', stream: false, messages, ...more });

function playedText(name: string): string {
  const file = new URL(`../fixtures/wire/cases/${name}.json`, import.meta.url);
  const schema = z.object({
    replies: z.tuple([z.object({ body: z.object({ text: z.string() }) })]),
  });
  return schema.parse(JSON.parse(readFileSync(file, 'utf8'))).replies[0].body.text;
}

describe('cached tokens', () => {
  it('shows DeepSeek’s cached tokens, and applies their own price', async () => {
    const bench = await startBench(({ send }) =>
      send(reply('200 OK', events, playedText('usage-deepseek'))),
    );
    price(bench, { inputPerMillionTokens: 1000, cachedInputPerMillionTokens: 10 });
    const run = await chat(bench, { stream: true });
    expect(getTokenCounts(run.figures?.usage ?? null).cached).toBe(960);
    expect(run.cost).toBeCloseTo(0.0496, 12);
  });
});

describe('thinking tokens', () => {
  it('counts Gemini’s thinking tokens as output', async () => {
    const usageMetadata = {
      promptTokenCount: 3,
      candidatesTokenCount: 9,
      totalTokenCount: 40,
      thoughtsTokenCount: 28,
    };
    const body = { candidates: [{ content: { parts: [{ text: 'Hi' }] } }], usageMetadata };
    const bench = await startBench(({ send }) => send(jsonReply(body)));
    price(bench, { outputPerMillionTokens: 1000 });
    const contents = [{ role: 'user', parts: [{ text: 'A cat' }] }];
    const run = await bench.run('image', { model: 'm', contents });
    expect(getTokenCounts(run.figures?.usage ?? null)).toMatchObject({ output: 37, reasoning: 28 });
    expect(run.cost).toBeCloseTo(0.037, 12);
    expect(getResponse(run).facts).toContainEqual(['usage', JSON.stringify(usageMetadata)]);
  });
});

describe('the gateway’s own cost', () => {
  it.each<[string, Record<string, string>, JsonObject]>([
    ['the usage', {}, { ...usage, cost: 0.02 }],
    ['text in the usage', {}, { ...usage, cost: '0.02' }],
    ['a header', { 'X-LiteLLM-Response-Cost': '0.02' }, usage],
    ['the usage before a header', { 'x-litellm-response-cost': '0.01' }, { ...usage, cost: 0.02 }],
  ])(
    'uses the cost in %s instead of the estimate, even after a price change',
    async (_place, headers, sent) => {
      const type = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ choices, usage: sent });
      const answers = [reply('200 OK', { ...type, ...headers }, body)];
      const bench = await startBench(({ send }) =>
        send(answers.shift() ?? jsonReply({ choices, usage })),
      );
      const { ledger, spending } = bench.services;
      const { id } = price(bench, { inputPerMillionTokens: 1000 });
      const charged = await chat(bench);
      expect(charged).toMatchObject({ cost: 0.02, figures: { chargedDollars: 0.02 } });
      const estimated = await chat(bench);
      expect(estimated.cost).toBe(1);
      expect(spending.today('environment')).toBe(1.02);
      price(bench, { inputPerMillionTokens: 2000 }, id);
      await expect.poll(() => ledger.summary(estimated.id)?.cost).toBe(2);
      expect(ledger.summary(charged.id)?.cost).toBe(0.02);
    },
  );

  it('accepts a cost header for any operation, even without a price', async () => {
    const headers = { 'Content-Type': 'audio/mpeg', 'x-litellm-response-cost': '1.5e-05' };
    const bench = await startBench(({ send }) => send(reply('200 OK', headers, 'ID3')));
    const request = { model: 'm', input: 'Hi', voice: 'alloy', response_format: 'mp3' };
    expect((await bench.run('speech', request)).cost).toBe(0.000015);
  });

  it('ignores a cost of 0 in a stream’s header, because the cost arrives later', async () => {
    const headers = { ...events, 'x-litellm-response-cost': '0.0' };
    const bench = await startBench(({ send }) =>
      send(reply('200 OK', headers, playedText('usage-deepseek'))),
    );
    expect((await chat(bench, { stream: true })).cost).toBeNull();
  });

  it('applies the daily cap to a model without a price', async () => {
    const body = { choices, usage: { ...usage, cost: 0.05 } };
    const bench = await startBench(({ send }) => send(jsonReply(body)));
    await chat(bench);
    bench.services.settings.update({ dailyCaps: { environment: 0.06 } });
    await expect(chat(bench)).rejects.toMatchObject({ error: { kind: 'beyond-cap' } });
  });
});

it('shows llama.cpp’s timings, and uses its reported speed', async () => {
  const timings = { prompt_per_second: 812.5, predicted_n: 3, predicted_per_second: 81.25 };
  const bench = await startBench(({ send }) => send(jsonReply({ choices, usage, timings })));
  const run = await chat(bench);
  expect(run.figures?.tokensPerSecond).toBe(81.25);
  expect(getResponse(run).facts).toEqual(
    expect.arrayContaining([
      ['timings.prompt_per_second', '812.5'],
      ['timings.predicted_per_second', '81.25'],
    ]),
  );
  expect(run.state.other).toEqual({});
});

it('prices the usage of a speech stream', async () => {
  const audio = Buffer.from([0xff, 0xfb, 0x90, 0x64, ...new Uint8Array(413)]).toString('base64');
  const text = [
    { type: 'speech.audio.delta', audio },
    {
      type: 'speech.audio.done',
      usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 },
    },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const bench = await startBench(({ send }) => send(reply('200 OK', events, text.join(''))));
  price(bench, { inputPerMillionTokens: 1000, outputPerMillionTokens: 10_000 });
  const request = { model: 'm', input: 'Hi', voice: 'alloy', response_format: 'mp3' };
  const run = await bench.run('speech', request);
  expect(getTokenCounts(run.figures?.usage ?? null)).toMatchObject({ input: 14, output: 101 });
  expect(run.cost).toBeCloseTo(1.024, 12);
  expect(getResponse(run).facts).toContainEqual(['output_tokens', '101']);
});
