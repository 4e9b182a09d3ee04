import { expect, test } from 'vitest';
import { readCsv } from '../../renderer/features/rerank/csv.ts';
import {
  barScale,
  describeMovement,
  rankDocuments,
  rankingCsv,
  rankingJson,
  scoreFormat,
  sentDocuments,
} from '../../renderer/features/rerank/ranking.ts';
import { rerankOperation } from '../../shared/operations/rerank/rerank.ts';
import { emptyRerankState, type RerankState } from '../../shared/operations/rerank/state.ts';
import { parseJson } from '../../shared/parse-json.ts';

const sent = ['first', { text: 'second' }, 'third'];
const state: RerankState = {
  ...emptyRerankState,
  id: 'r-1',
  meta: { tokens: 3 },
  results: [
    { index: 2, relevanceScore: 0.9, document: null, problem: null },
    { index: 1, relevanceScore: 0.5, document: 'as returned', problem: null },
    { index: 7, relevanceScore: 0.4, document: null, problem: 'out-of-range' },
    { index: 2, relevanceScore: 0.3, document: null, problem: 'repeated' },
    { index: null, relevanceScore: null, document: 'nameless', problem: 'no-index' },
  ],
};

test('finds documents by index where the reply does not repeat them', () => {
  expect(rankDocuments(state, sent).map(({ text }) => text)).toEqual([
    'third',
    'as returned',
    null,
    'third',
    'nameless',
  ]);
});

test('keeps what a document has beside its text, returned or sent', () => {
  const document = { text: 'second', title: 'Two', ids: parseJson('[9007199254740993]') };
  const folded = rerankOperation.fold(emptyRerankState, {
    kind: 'body',
    seq: 1,
    atMs: 1,
    exchange: 1,
    text: JSON.stringify({ results: [{ index: 0, relevance_score: 1, document }, { index: 1 }] }),
    truncated: false,
  });
  const documents = rankDocuments(folded, [
    { content: 'x' },
    { url: 'https://a', content: 'first', text: 5 },
  ]);
  expect(documents.map(({ text }) => text)).toEqual(['second', 'first']);
  const fields = ['{"title":"Two","ids":[9007199254740993]}', '{"url":"https://a","text":5}'];
  expect(documents.map((one) => JSON.stringify(one.fields))).toEqual(fields);
  expect(readCsv(rankingCsv(documents)).map((row) => row.at(-1))).toEqual(['fields', ...fields]);
  expect(rankingJson(documents, folded)).toContain('9007199254740993');
  expect(rerankOperation.reply(folded).text).toContain('"title":"Two"');
});

test.each([
  [{ content: 'the words', title: 'T', url: 'u' }, 'the words', { title: 'T', url: 'u' }],
  [{ passage: 'the words', text: 5 }, 'the words', { text: 5 }],
  [{ sentence: 'the words', stars: 5 }, 'the words', { stars: 5 }],
  [{ text: '', content: 'the words' }, 'the words', { text: '' }],
  [{ id: 'doc-17', text: '' }, '', { id: 'doc-17' }],
  [{ id: 'doc-17', title: 'The title' }, '{"id":"doc-17","title":"The title"}', null],
  [{ score: 1 }, '{"score":1}', null],
  ['the words', 'the words', null],
])('reads a document the same, returned or sent: %j', (document, text, fields) => {
  const [result] = rerankOperation.fold(emptyRerankState, {
    kind: 'body',
    seq: 1,
    atMs: 1,
    exchange: 1,
    text: JSON.stringify({ results: [{ index: 0, relevance_score: 1, document }] }),
    truncated: false,
  }).results;
  expect(result).toMatchObject({ document: text, ...(fields && { fields }) });
  expect(result?.fields ?? null).toEqual(fields);
  const asSent = { index: 0, relevanceScore: 1, document: null, problem: null };
  const [ranked] = rankDocuments({ results: [asSent] }, [document]);
  expect(ranked).toMatchObject({ text, fields });
});

test('exports a field called text beside the text', () => {
  const asSent = { index: 0, relevanceScore: 1, document: null, problem: null };
  const documents = rankDocuments({ results: [asSent] }, [{ content: 'first', text: 5 }]);
  const exported: unknown = JSON.parse(rankingJson(documents, emptyRerankState));
  expect(exported).toMatchObject({
    results: [{ document: { text: 'first', fields: { text: 5 } } }],
  });
});

test('says how far each went, and nothing where the index is no good', () => {
  const moved = rankDocuments(state, sent).map(({ movedUp }) => movedUp);
  expect(moved).toEqual([2, 0, null, null, null]);
  expect([2, 0, -1].map(describeMovement)).toEqual(['up 2', 'unchanged', 'down 1']);
});

test('takes the documents of the extra body fields where they replaced the others', () => {
  expect(sentDocuments({ request: { documents: ['a'] }, extraBody: {} })).toEqual(['a']);
  expect(sentDocuments({ request: { documents: ['a'] }, extraBody: { documents: ['b'] } })).toEqual(
    ['b'],
  );
  expect(sentDocuments({ request: {}, extraBody: {} })).toEqual([]);
});

test('draws scores outside 0 to 1 in proportion', () => {
  const of = (scores: number[]) => {
    const results = scores.map((relevanceScore, index) => ({
      index,
      relevanceScore,
      document: null,
      problem: null,
    }));
    return scores.map(barScale(rankDocuments({ results }, sent)));
  };
  expect(of([0.8, 0.2])).toEqual([0.8, 0.2]);
  expect(of([8, 2])).toEqual([1, 0.25]);
  expect(of([3, -1])).toEqual([1, 0]);
  expect(of([-2, -2])).toEqual([1, 1]);
});

test.each([
  [
    [0.987654321, 0.5],
    ['0.9877', '0.5000'],
  ],
  [
    [0.00012, 0],
    ['0.000120', '0.000000'],
  ],
  [
    [812.5, -3],
    ['812.50', '-3.00'],
  ],
])('gives all scores as many decimals: %j', (scores, words) => {
  const results = scores.map((relevanceScore, index) => ({
    index,
    relevanceScore,
    document: null,
    problem: null,
  }));
  expect(scores.map(scoreFormat(rankDocuments({ results }, sent)))).toEqual(words);
});

test('exports what is shown', () => {
  const documents = rankDocuments(state, sent);
  expect(JSON.parse(rankingJson(documents, state))).toMatchObject({
    id: 'r-1',
    meta: { tokens: 3 },
    results: [{ rank: 1, index: 2, relevance_score: 0.9, document: 'third' }, {}, {}, {}, {}],
  });
  const rows = readCsv(rankingCsv(documents));
  expect(rows[0]).toEqual(['rank', 'index', 'relevance_score', 'moved_up', 'document']);
  expect(rows[1]).toEqual(['1', '2', '0.9', '2', 'third']);
  expect(rows).toHaveLength(6);
});
