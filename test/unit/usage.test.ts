import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { getCharge, getTokenCounts, readUsage } from '../../shared/operations/response/usage.ts';

const counts = {
  input: null,
  cached: null,
  written: null,
  writtenForHour: null,
  output: null,
  reasoning: null,
  total: null,
};
const openAi = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
const known = { ...counts, input: 1000, output: 10, total: 1010 };

const cached = { ...known, cached: 960 };
const anthropic = { input_tokens: 40, output_tokens: 10 };

describe('token counts', () => {
  it.each<[string, JsonObject, object]>([
    ['no details', openAi, known],
    ['DeepSeek’s cache', { ...openAi, prompt_cache_hit_tokens: 960 }, cached],
    ['Kimi’s cache', { ...openAi, cached_tokens: 960 }, cached],
    [
      'several spellings, one of them 0',
      { ...openAi, prompt_tokens_details: { cached_tokens: 0 }, cache_read_input_tokens: 960 },
      cached,
    ],
    [
      'Anthropic’s counts beside the cache',
      { ...anthropic, cache_read_input_tokens: 900, cache_creation_input_tokens: 60 },
      { ...counts, input: 1000, cached: 900, written: 60, output: 10 },
    ],
    [
      'what Anthropic’s cache keeps for an hour',
      {
        ...anthropic,
        cache_creation_input_tokens: 960,
        cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 900 },
      },
      { ...counts, input: 1000, written: 960, writtenForHour: 900, output: 10 },
    ],
    [
      'LiteLLM’s and new-api’s counts of an hour',
      {
        ...openAi,
        prompt_tokens_details: {
          cache_creation_tokens: 60,
          cache_creation_token_details: { ephemeral_1h_input_tokens: 40 },
        },
        claude_cache_creation_1_h_tokens: 0,
      },
      { ...known, written: 60, writtenForHour: 40 },
    ],
    [
      'both spellings of a cache within the input',
      {
        prompt_tokens: 0,
        input_tokens: 110,
        output_tokens: 10,
        input_tokens_details: { cached_tokens: 100 },
        cache_read_input_tokens: 100,
      },
      { ...counts, input: 110, cached: 100, output: 10 },
    ],
    [
      'both spellings of a cache beside the input',
      {
        input_tokens: 10,
        output_tokens: 10,
        prompt_tokens_details: { cached_tokens: 100 },
        cache_read_input_tokens: 100,
      },
      { ...counts, input: 110, cached: 100, output: 10 },
    ],
    [
      'the counts of the Responses API',
      {
        input_tokens: 12,
        output_tokens: 30,
        total_tokens: 42,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens_details: { reasoning_tokens: 20 },
      },
      { ...counts, input: 12, cached: 4, output: 30, reasoning: 20, total: 42 },
    ],
    ['both spellings', { ...openAi, input_tokens: 0, output_tokens: 0 }, known],
    [
      'reasoning within the output',
      { ...openAi, completion_tokens_details: { reasoning_tokens: 8 } },
      { ...known, reasoning: 8 },
    ],
    [
      'reasoning beside the output',
      { ...openAi, total_tokens: 1210, completion_tokens_details: { reasoning_tokens: 200 } },
      { ...known, total: 1210, reasoning: 200, output: 210 },
    ],
    ['null details', { ...openAi, prompt_tokens_details: null, cached_tokens: null }, known],
    ['wrong types', { ...openAi, cached_tokens: '7', completion_tokens_details: 3 }, known],
  ])('reads token counts from %s', (_what, usage, expected) => {
    expect(getTokenCounts(readUsage(usage))).toEqual(expected);
  });

  it('returns null without usage', () => {
    expect(getTokenCounts(null)).toEqual(counts);
  });
});

describe('the gateway’s own cost', () => {
  it.each<[JsonObject, number | null]>([
    [{ cost: 0.0123 }, 0.0123],
    [{ cost: '0.0123' }, 0.0123],
    [{ cost: '$0.5' }, 0.5],
    [{ cost: 1e-5 }, 0.00001],
    [{ cost: 0 }, 0],
    [{ cost: { input_tokens_cost: 0.001, total_cost: 0.006 } }, 0.006],
    [{ total_cost: 0.25 }, 0.25],
    [{ cost_usd_total: 0.000125 }, 0.000125],
    [{ cost_in_usd_ticks: 37756000 }, 0.0037756],
    [{ cost: null, total_cost: 2 }, 2],
    [{ cost: '' }, null],
    [{ cost: 'free' }, null],
    [{ cost: -1 }, null],
    [{ cost: true }, null],
    [{ cost: [1] }, null],
    [{ prompt_tokens: 1 }, null],
  ])('reads the cost from %j', (usage, dollars) => {
    expect(getCharge(readUsage(usage))).toBe(dollars);
  });
});
