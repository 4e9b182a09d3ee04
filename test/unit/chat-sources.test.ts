import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { readSources, splitMarks } from '../../shared/operations/chat/sources.ts';
import { delta, fold } from './support/chat-events.ts';
import { body, chunk } from './support/fold-events.ts';

const a = 'https://one.example/a';
const b = 'https://two.example/b';
const cited = (url: string, title: string, start = 0, end = 0) => ({
  type: 'url_citation',
  url_citation: { url, title, start_index: start, end_index: end },
});

/** Formats each source as `number url title marks`. */
const read = (message: JsonObject, other: JsonObject = {}, choice: JsonObject = {}) =>
  readSources({ other }, { message, other: choice }).map(({ number, url, title, marks }) =>
    [number, url, title, ...marks].map((part) => part ?? '-').join(' '),
  );
const one = { url: a, title: 'One' };
const two = { url: b, title: 'Two' };

describe('sources', () => {
  it.each<[string, JsonObject, string[]]>([
    ['nothing', {}, []],
    ['addresses', { citations: [a, b] }, [`1 ${a} -`, `2 ${b} -`]],
    ['the same address twice', { citations: [a, a] }, [`1 ${a} -`, `2 ${a} -`]],
    ['objects', { citations: [{ url: a, title: ' One\n' }] }, [`1 ${a} One`]],
    [
      'titles of search results for cited addresses, and the others after them',
      { citations: [b], search_results: [one, { ...two, url: `${b}/` }] },
      [`1 ${b} Two`, `2 ${a} One`],
    ],
    ['search results alone', { search_results: [{ link: a, name: 'One' }] }, [`1 ${a} One`]],
    [
      'the index of each item',
      { search_info: { search_results: [two, one].map((it, at) => ({ index: 2 - at, ...it })) } },
      [`1 ${a} One`, `2 ${b} Two`],
    ],
    ['named references', { web_search: [{ refer: 'ref_3', ...one }] }, [`3 ${a} One`]],
    [
      'annotations, each address once',
      { annotations: [cited(a, 'One'), cited(b, 'Two'), cited(a, 'One again')] },
      [`1 ${a} One`, `2 ${b} Two`],
    ],
    ['annotations without a nested object', { annotations: [one] }, [`1 ${a} One`]],
    [
      'the number at the place of an annotation',
      { content: 'It rained [7].', annotations: [cited(a, 'One', 10, 13)] },
      [`7 ${a} One`],
    ],
    [
      'a mark with another form at the place of an annotation, in code points',
      { content: '🌧️ It rained 【4:0†source】.', annotations: [cited(a, 'One', 13, 25)] },
      [`1 ${a} One 【4:0†source】`],
    ],
    [
      'annotations of a content part',
      { content: [{ type: 'text', text: 'Rain [2]', annotations: [cited(a, 'One', 5, 8)] }] },
      [`2 ${a} One`],
    ],
    [
      'sources inside other fields',
      {
        context: { intent: 'x', citations: [{ url: null, url_x: 1, title: 'no.pdf' }] },
        vertex_ai_grounding_metadata: [{ groundingChunks: [{ web: { uri: a, title: 'One' } }] }],
      },
      [`1 ${a} One`],
    ],
    [
      'results of tools that the gateway ran',
      {
        executed_tools: [
          { type: 'search', search_results: { results: [one] } },
          { type: 'python', output: '4' },
        ],
      },
      [`1 ${a} One`],
    ],
    ['a document without an address', { citations: ['paper.pdf'] }, ['1 - paper.pdf']],
    [
      'nothing from fields of the same name with other content',
      { sources: ['web'], references: 3, context: 'text', citations: null },
      [],
    ],
    ['no script address', { search_results: [{ ...one, url: 'javascript:alert(1)' }] }, []],
  ])('reads %s', (_name, fields, expected) => {
    expect(read(fields)).toEqual(expected);
    if (!('annotations' in fields)) expect(read({}, fields)).toEqual(expected);
    if (!('annotations' in fields)) expect(read({}, {}, fields)).toEqual(expected);
  });

  it('prefers an annotation to the order of the list', () => {
    const message = { content: 'It rained [1].', annotations: [cited(b, 'Two', 10, 13)] };
    expect(read(message, { citations: [a, b] })).toEqual([`1 ${a} -`, `2 ${b} Two [1]`]);
  });

  it('reads the same sources from a stream and a document', () => {
    const message = { content: 'It rained [1].', annotations: [cited(a, 'One', 10, 13)] };
    const other = { citations: [a], search_results: [{ url: b, title: 'Two' }] };
    const of = (state: ReturnType<typeof fold>) =>
      state.choices.map((choice) => readSources(state, choice));
    const streamed = fold(
      chunk({ ...other, choices: [{ index: 0, delta: { content: 'It rained' } }] }),
      chunk({ ...other, choices: [{ index: 0, delta: { content: ' [1].' } }] }),
      delta({ annotations: message.annotations }),
    );
    const whole = fold(body({ ...other, choices: [{ index: 0, message }] }));
    expect(of(streamed)).toEqual(of(whole));
    expect(of(whole)[0]).toHaveLength(2);
  });
});

it.each<[string, string[][]]>([
  ['the sources so far in every chunk', [[a], [a, b], [a, b]]],
  ['each source once', [[a], [b], []]],
  ['all sources at the end', [[], [], [a, b]]],
])('keeps every source of a stream that sends %s', (_name, chunks) => {
  const state = fold(
    ...chunks.map((citations) =>
      chunk({ citations, choices: [{ index: 0, delta: { content: 'x' }, citations }] }),
    ),
  );
  expect(state.other).toEqual({ citations: [a, b] });
  expect(state.choices[0]?.other).toEqual({ citations: [a, b] });
});

describe('a field sent in several chunks', () => {
  it.each<[string, JsonObject[], JsonObject]>([
    ...['citations', 'search_results', 'references', 'sources', 'web_search'].map(
      (name): [string, JsonObject[], JsonObject] => [
        `appends ${name} and ignores an empty list`,
        [{ [name]: [one] }, { [name]: [two] }, { [name]: [] }],
        { [name]: [one, two] },
      ],
    ),
    [
      'keeps a filled object',
      [{ search_info: { search_results: [one] } }, { search_info: {} }],
      { search_info: { search_results: [one] } },
    ],
    [
      'keeps a filled object before one with an empty list',
      [{ search_info: { search_results: [one] } }, { search_info: { search_results: [] } }],
      { search_info: { search_results: [one] } },
    ],
    [
      'appends lists inside an object',
      [{ context: { citations: [one], intent: 'x' } }, { context: { citations: [two] } }],
      { context: { citations: [one, two], intent: 'x' } },
    ],
    [
      'keeps filled metadata',
      [{ vertex: [{ groundingChunks: [{ web: { uri: a } }] }] }, { vertex: [{}] }],
      { vertex: [{ groundingChunks: [{ web: { uri: a } }] }] },
    ],
    ['keeps a text', [{ provider: 'Acme' }, { provider: '' }], { provider: 'Acme' }],
    ['fills an empty value', [{ sources: [] }, { sources: [one] }], { sources: [one] }],
    ['has zero and false', [{ x: 1, y: true }].concat({ x: 0, y: false }), { x: 0, y: false }],
    [
      'has the field __proto__',
      [JSON.parse('{"__proto__":{"x":1}}')],
      JSON.parse('{"__proto__":{"x":1}}'),
    ],
  ])('%s', (_name, chunks, expected) => {
    const state = fold(
      ...chunks.map((fields) =>
        chunk({ ...fields, choices: [{ index: 0, delta: { content: 'x' }, ...fields }] }),
      ),
    );
    expect(state.other).toEqual(expected);
    expect(state.choices[0]?.other).toEqual(expected);
  });
});

describe('marks', () => {
  const message = { content: '【4:0†source】', annotations: [cited(b, 'Two', 0, 12)] };
  const sources = readSources({ other: { citations: [a, b, a] } }, { message, other: {} });

  it.each<[string, string]>([
    ['It rained [1][2].', 'It rained |<1:[1]>|<2:[2]>|.'],
    ['It rained [1, 3].', 'It rained [|<1:1>|, |<3:3>|].'],
    ['It rained [1, 9].', 'It rained [|<1:1>|, 9].'],
    ['See [^2] and [ref_1].', 'See |<2:[^2]>| and |<1:[ref_1]>|.'],
    ['DeepSeek [citation:3]', 'DeepSeek |<3:[citation:3]>'],
    ['It rained【1†source】', 'It rained|<1:【1†source】>'],
    ['It rained【4:0†source】', 'It rained|<2:【4:0†source】>'],
    ['No such source [4] 【9】', 'No such source [4] 【9】'],
    ['A year [2024] and a [link]', 'A year [2024] and a [link]'],
    ['', ''],
  ])('finds the marks in %s', (text, expected) => {
    const pieces = splitMarks(text, sources).map((piece) =>
      typeof piece === 'string' ? piece : `<${piece.source.number}:${piece.text}>`,
    );
    expect(pieces.join('|')).toBe(expected);
  });
});

describe('other fields of an answer', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['no sources', { annotations: [cited(a, 'One')], citations: [a], search_results: [] }, {}],
    [
      'annotations that are no sources',
      { annotations: [{ type: 'file', file: {} }] },
      { annotations: [{ type: 'file', file: {} }] },
    ],
    ['no null', { provider: null, matched_stop: 2 }, { matched_stop: 2 }],
  ])('lists %s', (_name, fields, expected) => {
    const { choices } = fold(
      body({ choices: [{ index: 0, message: { content: 'x', ...fields } }] }),
    );
    expect(choices.map((choice) => viewAnswer(choice).otherFields)).toEqual([expected]);
  });
});
