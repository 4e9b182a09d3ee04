import { expect, it } from 'vitest';
import { pickKeyModel } from '../../electron/models/key-model.ts';
import { type ListedModel, noFacts, toRates } from '../../shared/model-facts.ts';

const model = (id: string, dollars: number | null = null): ListedModel => ({
  id,
  ownedBy: null,
  endpointTypes: null,
  facts:
    dollars === null ? null : { ...noFacts, rates: toRates({ outputPerMillionTokens: dollars }) },
});

it.each([
  [[model('text-embedding-3'), model('gpt-9'), model('gpt-8')], 'gpt-9'],
  [[model('gpt-9', 10), model('gpt-8:free', 0), model('gpt-7', 1)], 'gpt-8:free'],
  [[model('gpt-9'), model('gpt-7', 1)], 'gpt-7'],
  [[model('whisper-1'), model('flux-pro')], null],
  [[], null],
])('picks the cheapest chat model of %j', (models, id) => {
  expect(pickKeyModel(models)).toBe(id);
});
