import { beforeAll, expect, it } from 'vitest';
import { createListPrices } from '../../electron/prices/list-prices.ts';

let now = Date.UTC(2026, 10, 30);
const prices = createListPrices(() => now);
beforeAll(() => prices.load());

it('has no prices until they are loaded', () => {
  expect(createListPrices(() => now).find('gpt-4o')).toBeNull();
});

it.each<[string, number | null]>([
  ['gpt-4o', 2.5],
  ['openai/gpt-4o', 2.5],
  ['GPT-4o-2024-08-06', 2.5],
  ['openai/gpt-4o-2024-05-13', 5],
  ['text-embedding-3-small', 0.02],
  ['claude-sonnet-4-5-20250929', 3],
  ['anthropic/claude-sonnet-4.5', 3],
  ['claude-3-5-haiku-latest', 0.8],
  ['claude-opus-4@20250514', 15],
  ['gemini-2.5-pro', 1.25],
  ['models/gemini-2.5-pro', 1.25],
  ['mistral-small', 0.1],
  ['nova-micro', 0.035],
  ['amazon.nova-micro-v1:0', 0.035],
  ['gpt-4o:free', null],
  ['gemini-2.5-pro:free', null],
  ['my-gpt-4o', null],
  ['', null],
])('returns the input price of %s: %s', (model, dollars) => {
  expect(prices.find(model)?.inputPerMillionTokens ?? null).toBe(dollars);
});

it('takes the price of a context without a surcharge, and the prices of the cache', () => {
  expect(prices.find('claude-sonnet-4-5')).toMatchObject({
    inputPerMillionTokens: 3,
    cachedInputPerMillionTokens: 0.3,
    cacheWritePerMillionTokens: 3.75,
    hourCacheWritePerMillionTokens: 6,
    outputPerMillionTokens: 15,
  });
});

it('prices models that are not billed by the token', () => {
  const expected = { perSoundMinute: expect.closeTo(0.006), inputPerMillionTokens: null };
  expect(prices.find('whisper-1')).toMatchObject(expected);
  expect(prices.find('tts-1')).toMatchObject({ perMillionCharacters: 15 });
});

it.each(['gpt-4o-realtime-preview', 'gemini-2.5-flash-image', 'gpt-4o-transcribe', 'sonar-pro'])(
  'has no price for %s, which is also billed by what Gatehouse doesn’t count',
  (model) => {
    expect(prices.find(model)).toBeNull();
  },
);

it('applies an announced price from its first day, and none that depends on the hour', () => {
  const find = (time: number) => {
    now = time;
    return prices.find('gemini-3.6-flash')?.inputPerMillionTokens;
  };
  expect(find(Date.UTC(2026, 11, 31, 23))).toBe(0.75);
  expect(find(Date.UTC(2027, 0, 1, 1))).toBe(1.5);
  // Peak hours begin at 1:00.
  expect(prices.find('deepseek-v4-pro')?.inputPerMillionTokens).toBe(0.66);
});

it.each(['constructor', 'toString', '__proto__'])('has no price for a model named %s', (name) => {
  expect(prices.find(name)).toBeNull();
});
