import { expect, it } from 'vitest';
import {
  createBarScale,
  formatRankingCsv,
  formatRankingJson,
  rankDocuments,
} from '../../renderer/features/rerank/ranking.ts';
import { getSentDocuments } from '../../renderer/features/rerank/rerank-request.ts';
import { readCsv } from '../../renderer/lib/csv.ts';
import {
  createScoreFormat,
  describeMovement,
} from '../../renderer/run/compare/ranked/score-format.ts';
import type { JsonValue } from '../../shared/json.ts';
import {
  emptyRerankState,
  type RerankState,
  rerankOperation,
} from '../../shared/operations/rerank/rerank.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { body, foldAll } from './support/fold-events.ts';

const sent = ['first', { text: 'second' }, 'third'];
const noProblem = { document: null, problem: null };
const state: RerankState = {
  ...emptyRerankState,
  id: 'r-1',
  meta: { tokens: 3 },
  results: [
    { ...noProblem, index: 2, relevanceScore: 0.9 },
    { ...noProblem, index: 1, relevanceScore: 0.5, document: 'as returned' },
    { ...noProblem, index: 7, relevanceScore: 0.4, problem: 'out-of-range' },
    { ...noProblem, index: 2, relevanceScore: 0.3, problem: 'repeated' },
    { index: null, relevanceScore: null, document: 'nameless', problem: 'no-index' },
  ],
};

const rankSent = (documents: JsonValue[], scores = documents.map(() => 1)) => {
  const results = scores.map((relevanceScore, index) => ({ ...noProblem, index, relevanceScore }));
  return rankDocuments({ results }, documents);
};
const rank = (scores: number[]) => rankSent(sent, scores);
const fold = (reply: object) => foldAll(rerankOperation, [body(reply)]);

it.each([
  ['results', { results: [{ index: 1, relevance_score: 0.5 }] }],
  ['output.results', { output: { results: [{ index: 1, relevance_score: 0.5 }] } }],
  ['data', { data: [{ index: 1, score: 0.5 }] }],
  ['rankings', { rankings: [{ index: 1, logit: 0.5 }] }],
])('reads the list at %s', (_at, reply) => {
  expect(fold(reply).results).toMatchObject([{ index: 1, relevanceScore: 0.5 }]);
});

it('finds documents by index if the response omits their text', () => {
  const texts = rankDocuments(state, sent).map(({ text }) => text);
  expect(texts).toEqual(['third', 'as returned', null, 'third', 'nameless']);
});

it('keeps the other fields of a returned or sent document', () => {
  const document = { text: 'second', title: 'Two', ids: parseJson('[9007199254740993]') };
  const folded = fold({ results: [{ index: 0, relevance_score: 1, document }, { index: 1 }] });
  const sentHere = [{ content: 'x' }, { url: 'https://a', content: 'first', text: 5 }];
  const documents = rankDocuments(folded, sentHere);
  expect(documents.map(({ text }) => text)).toEqual(['second', 'first']);
  const fields = ['{"title":"Two","ids":[9007199254740993]}', '{"url":"https://a","text":5}'];
  expect(documents.map((one) => JSON.stringify(one.fields))).toEqual(fields);
  expect(readCsv(formatRankingCsv(documents)).map((row) => row.at(-1))).toEqual([
    'fields',
    ...fields,
  ]);
  expect(formatRankingJson(documents, folded)).toContain('9007199254740993');
  expect(rerankOperation.response(folded).text).toContain('"title":"Two"');
});

it.each([
  [{ content: 'the words', title: 'T', url: 'u' }, 'the words', { title: 'T', url: 'u' }],
  [{ passage: 'the words', text: 5 }, 'the words', { text: 5 }],
  [{ sentence: 'the words', stars: 5 }, 'the words', { stars: 5 }],
  [{ text: '', content: 'the words' }, 'the words', { text: '' }],
  [{ id: 'doc-17', text: '' }, '', { id: 'doc-17' }],
  [{ id: 'doc-17', title: 'The title' }, '{"id":"doc-17","title":"The title"}', null],
  [{ score: 1 }, '{"score":1}', null],
  ['the words', 'the words', null],
])('reads a returned document like a sent one: %j', (document, text, fields) => {
  const [result] = fold({ results: [{ index: 0, relevance_score: 1, document }] }).results;
  expect(result).toMatchObject({ document: text, ...(fields && { fields }) });
  expect(result?.fields ?? null).toEqual(fields);
  expect(rankSent([document])).toMatchObject([{ text, fields }]);
});

it('exports a field named text next to the text', () => {
  const exported = formatRankingJson(rankSent([{ content: 'first', text: 5 }]), emptyRerankState);
  expect(JSON.parse(exported)).toMatchObject({
    results: [{ document: { text: 'first', fields: { text: 5 } } }],
  });
});

it('counts moved positions only for a valid index', () => {
  const moved = rankDocuments(state, sent).map(({ movedUp }) => movedUp);
  expect(moved).toEqual([2, 0, null, null, null]);
  expect([2, 0, -1].map(describeMovement)).toEqual(['up 2', 'unchanged', 'down 1']);
});

it('prefers documents from the extra body fields', () => {
  const [request, extraBody] = [{ documents: ['a'] }, { documents: ['b'] }];
  expect(getSentDocuments({ request, extraBody: {} })).toEqual(['a']);
  expect(getSentDocuments({ request, extraBody })).toEqual(['b']);
  expect(getSentDocuments({ request: {}, extraBody: {} })).toEqual([]);
});

it('scales scores outside 0 to 1', () => {
  const scale = (scores: number[]) => scores.map(createBarScale(rank(scores)));
  expect(scale([0.8, 0.2])).toEqual([0.8, 0.2]);
  expect(scale([8, 2])).toEqual([1, 0.25]);
  expect(scale([3, -1])).toEqual([1, 0]);
  expect(scale([-2, -2])).toEqual([1, 1]);
});

it.each([
  ['0.9877 0.5000', [0.987654321, 0.5]],
  ['0.000120 0.000000', [0.00012, 0]],
  ['812.50 -3.00', [812.5, -3]],
])('formats all scores with the same number of decimals: %s', (formatted, scores) => {
  expect(scores.map(createScoreFormat(rank(scores))).join(' ')).toBe(formatted);
});

it('exports the ranking as JSON and CSV', () => {
  const documents = rankDocuments(state, sent);
  expect(JSON.parse(formatRankingJson(documents, state))).toMatchObject({
    id: 'r-1',
    meta: { tokens: 3 },
    results: [{ rank: 1, index: 2, relevance_score: 0.9, document: 'third' }, {}, {}, {}, {}],
  });
  const rows = readCsv(formatRankingCsv(documents));
  expect(rows[0]).toEqual(['rank', 'index', 'relevance_score', 'moved_up', 'document']);
  expect(rows[1]).toEqual(['1', '2', '0.9', '2', 'third']);
  expect(rows).toHaveLength(6);
});
