import { describe, expect, test } from 'vitest';
import { formatPrice } from '../../renderer/lib/format-quantity.ts';
import { estimate, formatCost } from '../../shared/cost.ts';
import {
  exportedPriceSchema,
  priceInputSchema,
  type Rates,
  ratesSchema,
} from '../../shared/prices.ts';

const none: Rates = ratesSchema.parse({});

describe('an estimate', () => {
  const tokens = { ...none, inputPerMillionTokens: 2, outputPerMillionTokens: 8 };
  const cached = { ...tokens, cachedInputPerMillionTokens: 0.5 };

  const perImage = { ...none, perImage: 0.04 };
  const input = { ...none, inputPerMillionTokens: 2 };
  test.each([
    // 1,000 × $2 / 1M + 500 × $8 / 1M
    ['tokens in and out', tokens, { inputTokens: 1000, outputTokens: 500 }, 0.006],
    // 600 × $2 / 1M + 400 × $0.50 / 1M + 100 × $8 / 1M
    ['cached tokens', cached, { inputTokens: 1000, cachedTokens: 400, outputTokens: 100 }, 0.0022],
    // 1,000 × $2 / 1M
    ['cached tokens without a price', input, { inputTokens: 1000, cachedTokens: 400 }, 0.002],
    // Cached tokens can't exceed all tokens: 100 × $0.50 / 1M
    [
      'more cached tokens than tokens',
      { ...cached, outputPerMillionTokens: null },
      { inputTokens: 100, cachedTokens: 400, outputTokens: 7 },
      0.00005,
    ],
    // 100 × $2 / 1M + 100 × $0.50 / 1M + 800 × $2.50 / 1M
    [
      'tokens written to the cache',
      { ...cached, cacheWritePerMillionTokens: 2.5, outputPerMillionTokens: null },
      { inputTokens: 1000, cachedTokens: 100, cacheWriteTokens: 800 },
      0.00225,
    ],
    // 200 × $2 / 1M + 500 × $2.50 / 1M + 300 × $4 / 1M
    [
      'tokens written to the cache for an hour',
      { ...input, cacheWritePerMillionTokens: 2.5, hourCacheWritePerMillionTokens: 4 },
      { inputTokens: 1000, cacheWriteTokens: 800, hourCacheWriteTokens: 300 },
      0.00285,
    ],
    // 200 × $2 / 1M + 800 × $2.50 / 1M
    [
      'tokens written for an hour without a price of their own',
      { ...input, cacheWritePerMillionTokens: 2.5 },
      { inputTokens: 1000, cacheWriteTokens: 800, hourCacheWriteTokens: 300 },
      0.0024,
    ],
    // 1,000 × $2 / 1M
    [
      'tokens written to the cache without a price',
      input,
      { inputTokens: 1000, cacheWriteTokens: 800 },
      0.002,
    ],
    ['images', perImage, { inputTokens: null, images: 3 }, 0.12],
    ['seconds of video', { ...none, perVideoSecond: 0.1 }, { videoSeconds: 5.5 }, 0.55],
    // 200 × $15 / 1M
    ['characters', { ...none, perMillionCharacters: 15 }, { characters: 200 }, 0.003],
    // 90 s × $0.006 / 60 s
    ['minutes of sound', { ...none, perSoundMinute: 0.006 }, { soundSeconds: 90 }, 0.009],
    // 10 × $2 / 1M + 2 × $0.04
    ['tokens and images', { ...input, perImage: 0.04 }, { inputTokens: 10, images: 2 }, 0.08002],
    ['free images', { ...none, perImage: 0 }, { images: 2 }, 0],
    ['no tokens', tokens, { inputTokens: 0, outputTokens: 0 }, 0],
  ])('counts %s', (_what, rates, quantities, dollars) => {
    expect(estimate(rates, quantities)).toBeCloseTo(dollars, 12);
  });

  test.each([
    ['no price applies', { ...none, perImage: 1 }, { inputTokens: 5, outputTokens: 5 }],
    ['nothing has a price', none, { inputTokens: 5 }],
    ['what has a price is not known', tokens, { inputTokens: 5, outputTokens: null }],
    ['nothing was consumed', tokens, {}],
  ])('returns null if %s', (_why, rates, quantities) => {
    expect(estimate(rates, quantities)).toBeNull();
  });
});

test.each([
  [0, '$0'],
  [0.0012, '$0.0012'],
  [0.001234, '$0.0012'],
  [0.0349, '$0.035'],
  [0.5, '$0.50'],
  [12.4, '$12.40'],
  [1234.567, '$1,234.57'],
])('formats %d dollars as %s', (dollars, text) => {
  expect(formatCost(dollars)).toBe(text);
});

test('keeps every digit of a price', () => {
  expect([0.0375, 15, 1200].map(formatPrice)).toEqual(['$0.0375', '$15.00', '$1,200.00']);
});

describe('a price', () => {
  const messages = (rates: object) =>
    priceInputSchema
      .safeParse({ connectionId: 'demo', model: 'm', rates })
      .error?.issues.map(({ message }) => message);

  test.each<[object, string[] | undefined]>([
    [{}, ['Enter at least one price.']],
    [{ cachedInputPerMillionTokens: 1 }, ['Enter a price for input tokens too.']],
    [{ cacheWritePerMillionTokens: 1 }, ['Enter a price for input tokens too.']],
    [{ perImage: -1 }, ['Enter 0 or more.']],
    [{ perImage: 0 }, undefined],
  ])('validates %j', (rates, problems) => {
    expect(messages(rates)).toEqual(problems);
  });

  test('rejects an unknown field', () => {
    const row = { connection: 'Demo', model: 'm', perPixel: 1, perImage: 1 };
    expect(exportedPriceSchema.safeParse(row).success).toBe(false);
  });
});
