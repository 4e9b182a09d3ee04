import { describe, expect, test } from 'vitest';
import { expectedUse } from '../../electron/operations/expected-use.ts';
import { estimateCost } from '../../shared/cost.ts';
import { ExactNumber } from '../../shared/exact-number.ts';
import type { JsonObject } from '../../shared/json.ts';
import { type Rates, ratesSchema } from '../../shared/prices.ts';
import type { Quantities } from '../../shared/quantities.ts';

const audioId = 'abcdefghijklmnopqrstuv';
const getSeconds = (id: string) => (id === audioId ? 61.5 : null);

const { chat, completion, image, video, rerank, speech, transcription } = expectedUse;

describe('the expected use of a request', () => {
  const text = 'x'.repeat(400);
  const ask = (more: JsonObject = {}) =>
    chat({ messages: [{ role: 'user', content: text }], ...more }, getSeconds);
  const messages = [
    { role: 'system', content: 'x'.repeat(100) },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x'.repeat(98) },
        { type: 'image_url', image_url: { url: `media:${audioId}` } },
      ],
    },
    // The calls are sent as [{"a":1}].
    { role: 'assistant', content: null, tool_calls: [{ a: 1 }] },
  ];
  const ofChat = { inputTokens: 100, outputTokens: null, images: null, soundSeconds: null };
  const contents = [{ parts: [{ text }, { inlineData: { data: `media:${audioId}` } }] }];
  const drawn = (generationConfig: JsonObject) => image({ contents, generationConfig }, getSeconds);

  test.each([
    ['chat: a token per four characters', ask(), ofChat],
    // The tools are sent as [{}].
    ['chat: calls and tools', ask({ messages, tools: [{}] }), { ...ofChat, inputTokens: 53 }],
    ['chat: a limit per choice', ask({ max_tokens: 500, n: 2 }), { ...ofChat, outputTokens: 1000 }],
    [
      'chat: the newer name of the limit',
      ask({ max_tokens: 500, max_completion_tokens: new ExactNumber('70') }),
      { ...ofChat, outputTokens: 70 },
    ],
    [
      'completion',
      completion({ prompt: text, suffix: 'xxxx', max_tokens: 16 }, getSeconds),
      { inputTokens: 101, outputTokens: 16 },
    ],
    [
      'image: one for each candidate',
      drawn({ candidateCount: 2, responseModalities: ['TEXT', 'IMAGE'] }),
      { inputTokens: 100, outputTokens: null, images: 2 },
    ],
    [
      'image: text only',
      drawn({ responseModalities: ['TEXT'] }),
      { inputTokens: 100, outputTokens: null, images: 0 },
    ],
    ['video', video({ prompt: text, duration: 5, n: 2 }, getSeconds), { videoSeconds: 10 }],
    ['video of unknown duration', video({ prompt: text }, getSeconds), { videoSeconds: null }],
    [
      'rerank: query and documents',
      rerank({ query: 'x'.repeat(340), documents: [{ text: 'x'.repeat(60) }] }, getSeconds),
      { inputTokens: 100 },
    ],
    ['speech', speech({ input: 'Grüße 👋' }, getSeconds), { characters: 7, soundSeconds: null }],
    [
      'transcription',
      transcription({ file: `media:${audioId}` }, getSeconds),
      { soundSeconds: 61.5 },
    ],
    ['an unknown file', transcription({ file: 'media:z' }, getSeconds), { soundSeconds: null }],
  ])('estimates %s', (_what, use, expected) => {
    expect(use).toEqual(expected);
  });

  test.each(Object.entries(expectedUse))('accepts any values for %s', (_name, expect) => {
    const fields = 'messages prompt contents documents input file duration n'.split(' ');
    for (const value of [null, 4, 'x', [], [null, 4, [[]]], {}, { parts: 4 }]) {
      const sent: JsonObject = Object.fromEntries(fields.map((field) => [field, value]));
      expect({ ...sent, generationConfig: value, max_tokens: value }, getSeconds);
    }
  });
});

describe('the expected cost of a request', () => {
  const none: Rates = ratesSchema.parse({});
  const input = { ...none, inputPerMillionTokens: 2 };
  const inputTokens = 1000;

  const part = { inputTokens, outputTokens: null };
  test.each<[string, number | null, Quantities, number, boolean]>([
    // 1,000 × $2 / 1M + 500 × $8 / 1M
    ['exact', 8, { inputTokens, outputTokens: 500 }, 0.006, false],
    ['at least its input', 8, part, 0.002, true],
    ['exact if the answer is free', 0, part, 0.002, false],
    ['exact without other prices', null, { ...part, images: null }, 0.002, false],
  ])(
    'estimates a cost that is %s',
    (_what, outputPerMillionTokens, quantities, dollars, isLeast) => {
      const cost = estimateCost({ ...input, outputPerMillionTokens }, quantities);
      expect(cost?.dollars).toBeCloseTo(dollars, 12);
      expect(cost?.isLeast).toBe(isLeast);
    },
  );

  test('returns null without a price', () => {
    expect(estimateCost(none, { inputTokens })).toBeNull();
    expect(estimateCost({ ...none, perImage: 1 }, { inputTokens })).toBeNull();
  });
});
