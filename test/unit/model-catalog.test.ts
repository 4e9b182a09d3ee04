import { describe, expect, it } from 'vitest';
import {
  describeFacts,
  describeRates,
  formatTokenLimit,
} from '../../renderer/run/form/model-picker/describe-facts.ts';
import {
  buildCatalog,
  type CatalogSource,
  isModelChoice,
  rankChoices,
  toggleFavorite,
} from '../../renderer/run/form/model-picker/model-catalog.ts';
import type { ModelSuggestion } from '../../shared/contract/models.ts';
import { noFacts } from '../../shared/model-facts.ts';
import { type Rates, ratesSchema } from '../../shared/prices.ts';
import { modelSuggestion } from '../fixtures/model-suggestion.ts';

const source = (id: string, ...models: ModelSuggestion[]): CatalogSource => ({
  connection: { id, name: id.toUpperCase() },
  suggestions: { models, preselected: null, listProblem: null },
});

const sources = [
  source(
    'a',
    modelSuggestion('one', { usedAt: 10 }),
    modelSuggestion('two', { fits: true }),
    modelSuggestion('same'),
  ),
  source(
    'b',
    modelSuggestion('three', { usedAt: 20 }),
    modelSuggestion('same'),
    modelSuggestion('pictures', { fits: false }),
    modelSuggestion('drawn', { fits: false, usedAt: 5 }),
  ),
  { connection: { id: 'c', name: 'C' }, suggestions: null },
];
const options = { sources, currentId: 'b', favorites: {}, placed: {}, showsAll: false };

const shown = (catalog = buildCatalog(options)) =>
  catalog.choices.map(({ group, connectionId, value }) => `${group}: ${connectionId}/${value}`);

describe('a catalog', () => {
  it('lists recent models first, then each connection’s, beginning with the current one', () => {
    const recent = ['Recent: b/three', 'Recent: a/one', 'Recent: b/drawn'];
    expect(shown()).toEqual([...recent, 'B: b/same', 'A: a/two', 'A: a/same']);
  });

  it('lists favorites first, each model once', () => {
    const favorites = { a: ['same', 'gone'], b: ['three'] };
    const catalog = buildCatalog({ ...options, favorites, placed: favorites });
    const first = ['Favorites: b/three', 'Favorites: a/same', 'Recent: a/one'];
    expect(shown(catalog).slice(0, 3)).toEqual(first);
    expect(catalog.choices.filter(({ isFavorite }) => isFavorite)).toHaveLength(2);
  });

  it('stars a model without moving it', () => {
    const catalog = buildCatalog({ ...options, favorites: { a: ['two'] } });
    expect(shown(catalog)).toEqual(shown());
    expect(catalog.choices.find(({ value }) => value === 'two')?.isFavorite).toBe(true);
  });

  it('hides models of other panels until all are shown, but never unknown or used ones', () => {
    expect(buildCatalog(options).hiddenCount).toBe(1);
    expect(shown()).not.toContain('B: b/pictures');
    expect(shown(buildCatalog({ ...options, showsAll: true }))).toContain('B: b/pictures');
  });

  it.each<[string, string[]]>([
    ['same', ['b/same', 'a/same']],
    ['SAME', ['b/same', 'a/same', 'typed']],
    ['two', ['a/two', 'typed']],
    ['a one', ['a/one', 'typed']],
    ['nothing like it', ['typed']],
  ])('ranks matches of “%s”', (text, expected) => {
    const { choices } = buildCatalog(options);
    const found = rankChoices(choices, text, 'b').map((choice) =>
      isModelChoice(choice) ? `${choice.connectionId}/${choice.value}` : 'typed',
    );
    expect(found).toEqual(expected);
  });

  it('offers an unlisted ID as typed', () => {
    expect(rankChoices([], ' my/own ', 'b')).toEqual([
      { key: 'typed', value: 'my/own', label: 'Use “my/own” as model ID' },
    ]);
  });

  it('reads each of thousands of models once per search', () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      modelSuggestion(`vendor-${at % 7}/model-${at}`),
    );
    const { choices } = buildCatalog({ ...options, sources: [source('b', ...many)] });
    let reads = 0;
    const counted = choices.map((choice) =>
      Object.defineProperty({ ...choice }, 'value', {
        enumerable: true,
        get() {
          reads += 1;
          return choice.value;
        },
      }),
    );
    expect(rankChoices(counted, 'vendor-3 99', 'b')).not.toHaveLength(1);
    expect(reads).toBe(2000);
  });
});

it('adds and removes favorites of a connection', () => {
  const starred = toggleFavorite({ a: ['one'] }, 'b', 'two');
  expect(starred).toEqual({ a: ['one'], b: ['two'] });
  expect(toggleFavorite(starred, 'a', 'one')).toEqual({ a: [], b: ['two'] });
});

it.each([
  [512, '512'],
  [8192, '8K'],
  [128_000, '128K'],
  [131_072, '131K'],
  [1_000_000, '1M'],
  [1_048_576, '1.05M'],
])('shortens %i tokens to %s', (tokens, text) => {
  expect(formatTokenLimit(tokens)).toBe(text);
});

it.each<[Partial<Rates>, string]>([
  [{ inputPerMillionTokens: 0.15, outputPerMillionTokens: 0.6 }, '$0.15 / $0.60'],
  [{ inputPerMillionTokens: 0, outputPerMillionTokens: 0 }, 'Free'],
  [{ inputPerMillionTokens: 0.02 }, '$0.02/1M in'],
  [{ perImage: 0.04 }, '$0.04/image'],
  [{ perMillionCharacters: 15 }, '$15.00/1M chars'],
])('describes the price %j as %s', (some, text) => {
  expect(describeRates(ratesSchema.parse(some))).toBe(text);
});

it('describes known facts, with the source of the price', () => {
  const inputs = ['text' as const, 'image' as const];
  const facts = { ...noFacts, contextTokens: 128_000, inputs, tools: false };
  const rates = ratesSchema.parse({ inputPerMillionTokens: 1, outputPerMillionTokens: 2 });
  expect(describeFacts(facts, { rates, source: { kind: 'list', date: '2026-09-23' } })).toEqual([
    'Context: 128,000 tokens',
    'Input: text, image',
    'Takes no tools',
    'Price: $1.00/1M in, $2.00/1M out (list price of 2026-09-23)',
  ]);
  expect(describeFacts(null, null)).toEqual([]);
});
