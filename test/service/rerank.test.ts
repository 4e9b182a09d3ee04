import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { shareBench } from '../fixtures/run-operation.ts';
import { always, jsonReply } from '../fixtures/wire-server.ts';

const serveWith = await shareBench();

const request: JsonObject = {
  model: 'rerank-1',
  query: 'What is red?',
  documents: ['grass', 'a fire engine', 'the sea', 'ripe tomatoes'],
  top_n: 3,
};

function startReranker(body: unknown, status = '200 OK') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return serveWith(always(jsonReply(text, status)));
}

const result = (index: unknown, relevance_score: unknown, document?: unknown) => ({
  index,
  relevance_score,
  ...(document === undefined ? {} : { document }),
});

describe('rerank', () => {
  it('sends the request unchanged, and sorts the results by score', async () => {
    const bench = await startReranker({
      id: 'rr-1',
      results: [result(1, 0.98), result(3, 0.75), result(0, 0.02)],
      meta: { billed_units: { search_units: 1 } },
    });
    const view = await bench.run('rerank', request, { return_documents: false });
    const [sent = ''] = bench.server.requests;
    expect(sent.split('\r\n')[0]).toBe('POST /v1/rerank HTTP/1.1');
    expect(JSON.parse(sent.slice(sent.indexOf('\r\n\r\n')))).toEqual({
      ...request,
      return_documents: false,
    });
    expect(view).toMatchObject({ status: 'succeeded', preview: 'What is red?' });
    expect(view.state).toEqual({
      id: 'rr-1',
      model: null,
      results: [
        { index: 1, relevanceScore: 0.98, document: null, problem: null },
        { index: 3, relevanceScore: 0.75, document: null, problem: null },
        { index: 0, relevanceScore: 0.02, document: null, problem: null },
      ],
      documentCount: 4,
      meta: { billed_units: { search_units: 1 } },
      usage: null,
      emptyReason: null,
      warnings: [],
    });
  });

  it.each([
    ['an object', { text: 'a fire engine' }, 'a fire engine'],
    ['a string', 'a fire engine', 'a fire engine'],
    ['null', null, null],
    ['an object with text under another name', { title: 'x' }, 'x'],
    ['an object of another shape', { page: 4 }, '{"page":4}'],
  ])('reads a document that is %s', async (_name, document, read) => {
    const bench = await startReranker({ results: [result(1, 0.9, document)] });
    const view = await bench.run('rerank', request);
    expect(view.state.results[0]?.document).toBe(read);
  });

  it('sorts unsorted results by score, and reports it', async () => {
    const bench = await startReranker({
      results: [result(0, 0.1), result(1, 0.9), result(2, 0.5)],
    });
    const { state } = await bench.run('rerank', request);
    expect(state.results.map(({ index }) => index)).toEqual([1, 2, 0]);
    expect(state.warnings).toEqual(['The results weren’t sorted by score. Gatehouse sorted them.']);
  });

  it('keeps and marks results that match no document', async () => {
    const bench = await startReranker({
      results: [
        result('3', '0.9'),
        result(4, 0.8),
        result(3, 0.7),
        result(-1, 0.6),
        result(undefined, 0.5),
        result(2, 'high'),
        'nonsense',
      ],
    });
    const { state } = await bench.run('rerank', request);
    expect(state.results.map(({ index, problem }) => [index, problem])).toEqual([
      [3, null],
      [4, 'out-of-range'],
      [3, 'repeated'],
      [null, 'no-index'],
      [null, 'no-index'],
      [2, null],
    ]);
    expect(state.results.at(-1)?.relevanceScore).toBeNull();
    expect(state.warnings).toHaveLength(5);
  });

  it('accepts usage instead of meta, and results under other names', async () => {
    const bench = await startReranker({
      model: 'm',
      data: [{ index: 2, score: 0.4 }],
      usage: { prompt_tokens: 9, total_tokens: 9 },
    });
    const view = await bench.run('rerank', request);
    expect(view.state).toMatchObject({
      results: [{ index: 2, relevanceScore: 0.4 }],
      meta: null,
      usage: { prompt_tokens: 9, total_tokens: 9 },
    });
    expect(view.figures).toMatchObject({ model: 'm', usage: { total_tokens: 9 } });
  });

  const empty = 'The response contains no ranked documents.';
  it.each<[string, unknown, string]>([
    ['an empty list', { results: [], error: null, message: null }, empty],
    ['no list', { id: 'r' }, 'The response has no list of results.'],
    ['null', { results: null, data: null }, 'The response has no list of results.'],
    ['no objects', { results: [null, 1] }, 'None of the results could be read.'],
    [
      'an empty list and a message',
      { results: [], message: 'All documents are too long' },
      `${empty} The gateway’s reason: All documents are too long`,
    ],
    [
      'an empty list and a warning',
      { results: [], meta: { warnings: ['Query truncated'], tokens: null } },
      `${empty} The gateway’s reason: Query truncated`,
    ],
  ])('explains why %s has no results', async (_name, body, reason) => {
    const view = await (await startReranker(body)).run('rerank', request);
    expect(view).toMatchObject({ status: 'succeeded', figures: { noResult: reason } });
  });

  it('reads nulls as missing fields', async () => {
    const document = { text: 'a fire engine', multi_modal: null };
    const { state } = await (
      await startReranker({
        id: null,
        model: null,
        usage: { total_tokens: 9, prompt_tokens: null },
        meta: { api_version: null, billed_units: { tokens: null } },
        results: [
          { index: 1, relevance_score: null, score: 0.9, document },
          { index: 0, relevance_score: 0.5, document: { text: null } },
        ],
      })
    ).run('rerank', request);
    expect(state).toMatchObject({
      id: null,
      meta: null,
      usage: { total_tokens: 9 },
      warnings: [],
      results: [
        { index: 1, relevanceScore: 0.9, document: 'a fire engine' },
        { index: 0, relevanceScore: 0.5, document: null },
      ],
    });
    expect(state.results.map(({ fields }) => fields)).toEqual([undefined, undefined]);
    expect(state.usage).toEqual({ total_tokens: 9 });
  });

  it('doesn’t send a request without a document', async () => {
    const bench = await startReranker({});
    await expect(bench.start('rerank', { ...request, documents: [] })).rejects.toMatchObject({
      error: { fields: [{ path: ['documents'], message: 'Add at least one document.' }] },
    });
    expect(bench.server.requests).toEqual([]);
  });
});
