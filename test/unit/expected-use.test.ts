import { describe, expect, test } from 'vitest';
import { expectedUse } from '../../electron/operations/expected-use.ts';
import { expectedCost } from '../../shared/cost.ts';
import { ExactNumber } from '../../shared/exact-number.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Rates } from '../../shared/prices.ts';

const audioId = 'abcdefghijklmnopqrstuv';
const getSeconds = (id: string) => (id === audioId ? 61.5 : null);

const { chat, completion, image, video, rerank, speech, transcription } = expectedUse;

describe('what a request is expected to use', () => {
  const text = 'x'.repeat(400);
  const ask = (more: JsonObject = {}) =>
    chat({ messages: [{ role: 'user', content: text }], ...more }, getSeconds);

  test.each([
    [
      'chat: a token for four characters, and an answer of unknown length',
      ask(),
      { inputTokens: 100, outputTokens: null, images: null, soundSeconds: null },
    ],
    [
      'chat: the text of all messages, calls and tools; no files',
      ask({
        messages: [
          { role: 'system', content: 'x'.repeat(100) },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'x'.repeat(98) },
              { type: 'image_url', image_url: { url: `media:${audioId}` } },
            ],
          },
          // [{"a":1}]
          { role: 'assistant', content: null, tool_calls: [{ a: 1 }] },
        ],
        // [{}]
        tools: [{}],
      }),
      { inputTokens: 53, outputTokens: null, images: null, soundSeconds: null },
    ],
    [
      'chat: as long as the answer may become, for each choice',
      ask({ max_tokens: 500, n: 2 }),
      { inputTokens: 100, outputTokens: 1000, images: null, soundSeconds: null },
    ],
    [
      'chat: the newer name counts',
      ask({ max_tokens: 500, max_completion_tokens: new ExactNumber('70') }),
      { inputTokens: 100, outputTokens: 70, images: null, soundSeconds: null },
    ],
    [
      'completion',
      completion({ prompt: text, suffix: 'xxxx', max_tokens: 16 }, getSeconds),
      { inputTokens: 101, outputTokens: 16 },
    ],
    [
      'image: one for each candidate',
      image(
        {
          contents: [{ parts: [{ text }, { inlineData: { data: `media:${audioId}` } }] }],
          generationConfig: { candidateCount: 2, responseModalities: ['TEXT', 'IMAGE'] },
        },
        getSeconds,
      ),
      { inputTokens: 100, outputTokens: null, images: 2 },
    ],
    [
      'image: none where only text is wanted',
      image(
        { contents: [{ parts: [{ text }] }], generationConfig: { responseModalities: ['TEXT'] } },
        getSeconds,
      ),
      { inputTokens: 100, outputTokens: null, images: 0 },
    ],
    ['video', video({ prompt: text, duration: 5, n: 2 }, getSeconds), { videoSeconds: 10 }],
    ['video of unknown length', video({ prompt: text }, getSeconds), { videoSeconds: null }],
    [
      'rerank: query and documents',
      rerank(
        { query: 'x'.repeat(40), documents: ['x'.repeat(300), { text: 'x'.repeat(60) }] },
        getSeconds,
      ),
      { inputTokens: 100 },
    ],
    ['speech', speech({ input: 'Grüße 👋' }, getSeconds), { characters: 7, soundSeconds: null }],
    [
      'transcription',
      transcription({ file: `media:${audioId}` }, getSeconds),
      { soundSeconds: 61.5 },
    ],
    [
      'transcription of a file of unknown length',
      transcription({ file: 'media:zzzzzzzzzzzzzzzzzzzz' }, getSeconds),
      { soundSeconds: null },
    ],
  ])('%s', (_what, use, expected) => {
    expect(use).toEqual(expected);
  });

  test.each(Object.entries(expectedUse))('%s: whatever the fields hold', (_name, expect) => {
    for (const value of [null, 4, 'x', [], [null, 4, [[]]], {}, { parts: 4 }]) {
      const fields = [
        'messages',
        'prompt',
        'contents',
        'documents',
        'input',
        'file',
        'duration',
        'n',
      ];
      const sent = Object.fromEntries(
        fields.map((field): [string, JsonObject[string]] => [field, value]),
      );
      expect({ ...sent, generationConfig: value, max_tokens: value }, getSeconds);
    }
  });
});

describe('what a request is expected to cost', () => {
  const none: Rates = {
    inputPerMillionTokens: null,
    cachedInputPerMillionTokens: null,
    outputPerMillionTokens: null,
    perImage: null,
    perVideoSecond: null,
    perMillionCharacters: null,
    perSoundMinute: null,
  };
  const tokens = { ...none, inputPerMillionTokens: 2, outputPerMillionTokens: 8 };

  test.each([
    // 1,000 × $2 / 1M + 500 × $8 / 1M
    [
      'all of it',
      tokens,
      { inputTokens: 1000, outputTokens: 500 },
      { dollars: 0.006, isLeast: false },
    ],
    [
      'at least its input',
      tokens,
      { inputTokens: 1000, outputTokens: null },
      { dollars: 0.002, isLeast: true },
    ],
    [
      'nothing more where the answer is free',
      { ...tokens, outputPerMillionTokens: 0 },
      { inputTokens: 1000, outputTokens: null },
      { dollars: 0.002, isLeast: false },
    ],
    [
      'nothing more for what has no price',
      { ...none, inputPerMillionTokens: 2 },
      { inputTokens: 1000, outputTokens: null, images: null },
      { dollars: 0.002, isLeast: false },
    ],
  ])('%s', (_what, rates, quantities, expected) => {
    const cost = expectedCost(rates, quantities);
    expect(cost?.dollars).toBeCloseTo(expected.dollars, 12);
    expect(cost?.isLeast).toBe(expected.isLeast);
  });

  test('is not known without a price', () => {
    expect(expectedCost(none, { inputTokens: 1000 })).toBeNull();
    expect(expectedCost({ ...none, perImage: 1 }, { inputTokens: 1000 })).toBeNull();
  });
});
