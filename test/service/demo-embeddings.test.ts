import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { KEY, shareClient } from './demo-gateway-client.ts';

const client = await shareClient();

const input = [
  'The boat sails from the harbor.',
  'Two boats wait in the harbor.',
  'Rye flour makes a dense bread.',
];

const dot = (first: number[], second: number[]) =>
  first.reduce((sum, value, at) => sum + value * (second[at] ?? 0), 0);

it('serves the official client with base64 vectors that equal the numbers', async () => {
  const openai = new OpenAI({ apiKey: KEY, baseURL: `${client.gateway.baseUrl}/v1` });
  const encoded = await openai.embeddings.create({ model: 'demo-embed', input });
  const plain = await openai.embeddings.create({
    model: 'demo-embed',
    input,
    encoding_format: 'float',
  });
  expect(encoded.data.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(encoded.usage.total_tokens).toBeGreaterThan(3);
  for (const [at, { embedding }] of encoded.data.entries()) {
    expect(embedding).toHaveLength(384);
    expect(dot(embedding, embedding)).toBeCloseTo(1, 5);
    for (const [place, value] of (plain.data[at]?.embedding ?? []).entries()) {
      expect(value).toBeCloseTo(embedding[place] ?? Number.NaN, 6);
    }
  }
});

it.each(['demo-embed', 'demo-embed-pairs'])(
  '%s puts similar texts near each other',
  async (model) => {
    const openai = new OpenAI({ apiKey: KEY, baseURL: `${client.gateway.baseUrl}/v1` });
    const { data } = await openai.embeddings.create({ model, input, dimensions: 512 });
    const [first = [], second = [], third = []] = data.map(({ embedding }) => embedding);
    expect(first).toHaveLength(512);
    expect(dot(first, second)).toBeGreaterThan(dot(first, third) + 0.1);
  },
);

it.each([
  ['input', { input: [] }],
  ['input[0]', { input: [''] }],
  ['dimensions', { dimensions: 5000 }],
  ['encoding_format', { encoding_format: 'hex' }],
])('answers 400 and names %s', async (param, fields) => {
  const response = await client.post('/v1/embeddings', { model: 'demo-embed', input, ...fields });
  const { error } = await response.json();
  expect([response.status, error.param]).toEqual([400, param]);
});

it('accepts tokens, text objects and images', async () => {
  const openai = new OpenAI({ apiKey: KEY, baseURL: `${client.gateway.baseUrl}/v1` });
  const { data } = await openai.embeddings.create({ model: 'demo-embed', input: [1, 2, 3] });
  expect(data).toHaveLength(1);
  const image = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`;
  const body = { model: 'demo-embed', input: [{ image }, { text: 'a boat' }] };
  const reply = await (await client.post('/v1/embeddings', body)).json();
  expect(reply.data.map((one: { embedding: number[] }) => one.embedding.length)).toEqual([
    384, 384,
  ]);
});
