import { describe, expect, it } from 'vitest';
import { rerankExamples } from '../../renderer/features/rerank/rerank-examples.ts';
import { shareClient } from './demo-gateway-client.ts';

const client = await shareClient();

const query = 'How do gates keep the flood out?';
const documents = [
  'Bread needs flour and patience.',
  { text: 'A flood gate keeps the water out of the town.' },
  'The gate is painted red.',
];
// biome-ignore lint/suspicious/noExplicitAny: replies are read as a foreign client would
async function rerank(fields: Record<string, unknown>): Promise<{ status: number; body: any }> {
  const request = { model: 'demo-rerank', query, documents, ...fields };
  const response = await client.post('/v1/rerank', request);
  return { status: response.status, body: await response.json() };
}
const indexes = (results: { index: number }[]) => results.map(({ index }) => index);

it('ranks by shared words, accepts strings and objects, and truncates at top_n', async () => {
  const { body } = await rerank({ top_n: 2, return_documents: true });
  expect(indexes(body.results)).toEqual([1, 2]);
  expect(body.results[0].document).toEqual({
    text: 'A flood gate keeps the water out of the town.',
  });
  expect(body.results[0].relevance_score).toBeGreaterThan(body.results[1].relevance_score);
  expect(body.results[0].relevance_score).toBeLessThanOrEqual(1);
  expect(body).toMatchObject({ id: expect.any(String), meta: expect.any(Object) });
});

it.each([undefined, false])(
  'leaves out documents with return_documents %s',
  async (returnDocuments) => {
    const { body } = await rerank(
      returnDocuments === undefined ? {} : { return_documents: returnDocuments },
    );
    expect(body.results).toHaveLength(3);
    expect(body.results[0]).not.toHaveProperty('document');
  },
);

it.each([
  ['documents', { documents: [] }],
  ['documents[0]', { documents: [7] }],
  ['top_n', { top_n: 0 }],
  ['query', { query: '' }],
])('answers 400 and names %s', async (param, fields) => {
  const { status, body } = await rerank(fields);
  expect([status, body.error.param]).toEqual([400, param]);
});

describe('demo-rerank-pairs', () => {
  const model = 'demo-rerank-pairs';

  it.each(rerankExamples)(
    'ranks the panel’s example “$query” in a different order',
    async (example) => {
      const { query, documents } = example;
      const [words, pairs, again] = await Promise.all([
        rerank({ query, documents }),
        rerank({ model, query, documents }),
        rerank({ model, query, documents }),
      ]);
      expect(indexes(pairs.body.results)).not.toEqual(indexes(words.body.results));
      expect(again.body.results).toEqual(pairs.body.results);
      for (const { relevance_score: score } of pairs.body.results) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
    },
  );

  it('names its scoring method, and accepts the same fields as demo-rerank', async () => {
    const { body } = await rerank({ model, top_n: 1, return_documents: true });
    expect(body.meta).toMatchObject({ model, method: 'letter-pair-cosine' });
    expect(body.results).toHaveLength(1);
    expect(body.results[0].document.text).toContain('flood gate');
    expect((await rerank({})).body.meta.method).toBe('bm25');
    expect((await rerank({ model, top_n: 0 })).status).toBe(400);
  });
});
