import { expect, it } from 'vitest';
import { findListPrice } from '../../electron/prices/list-prices.ts';

it.each<[string, number | null]>([
  ['gpt-4o', 2.5],
  ['openai/gpt-4o', 2.5],
  ['GPT-4o-2024-08-06', 2.5],
  ['openai/gpt-4o-2024-05-13', 5],
  ['claude-sonnet-4-5-20250929', 3],
  ['anthropic/claude-sonnet-4.5', 3],
  ['claude-3-5-haiku-latest', 0.8],
  ['claude-opus-4@20250514', 15],
  ['gemini-2.5-pro', 1.25],
  ['models/gemini-2.5-pro', 1.25],
  ['gpt-4o:free', null],
  ['gpt-4o-realtime-preview', null],
  ['my-gpt-4o', null],
  ['', null],
])('returns the input price of %s: %s', (model, dollars) => {
  expect(findListPrice(model)?.inputPerMillionTokens ?? null).toBe(dollars);
});

it('prices models that are not billed by the token', () => {
  const expected = { perSoundMinute: 0.006, inputPerMillionTokens: null };
  expect(findListPrice('whisper-1')).toMatchObject(expected);
});
