/**
 * A table of public list prices, used only if the user turns it on. Prices are in US dollars, for
 * standard processing and contexts without a surcharge.
 */
import { type Rates, ratesSchema } from '../../shared/prices.ts';

/** When the prices were last compared with the providers' pages. */
export const LIST_PRICES_DATE = '2026-08-05';

type TokenPrice = readonly [id: string, input: number, output: number, cached?: number];

/** https://platform.openai.com/docs/pricing */
const openAi: readonly TokenPrice[] = [
  ['gpt-4o', 2.5, 10, 1.25],
  ['gpt-4o-2024-05-13', 5, 15],
  ['gpt-4o-mini', 0.15, 0.6, 0.075],
  ['gpt-4.1', 2, 8, 0.5],
  ['gpt-4.1-mini', 0.4, 1.6, 0.1],
  ['gpt-4.1-nano', 0.1, 0.4, 0.025],
  ['o3-mini', 1.1, 4.4, 0.55],
  ['o4-mini', 1.1, 4.4, 0.275],
  ['gpt-5', 1.25, 10, 0.125],
  ['gpt-5-mini', 0.25, 2, 0.025],
  ['gpt-5-nano', 0.05, 0.4, 0.005],
  ['gpt-5-pro', 15, 120],
  ['gpt-5.1', 1.25, 10, 0.125],
  ['gpt-5.1-codex', 1.25, 10, 0.125],
  ['gpt-5.1-codex-mini', 0.25, 2, 0.025],
  ['gpt-5.2', 1.75, 14, 0.175],
  ['gpt-5.2-pro', 21, 168],
  ['gpt-5.4', 2.5, 15, 0.25],
  ['gpt-5.4-mini', 0.75, 4.5, 0.075],
  ['gpt-5.4-nano', 0.2, 1.25, 0.02],
  ['gpt-5.4-pro', 30, 180],
  ['gpt-5.5', 5, 30, 0.5],
  ['gpt-5.5-pro', 30, 180],
  ['gpt-5.6-sol', 5, 30, 0.5],
  ['gpt-5.6-terra', 2, 12, 0.2],
  ['gpt-5.6-luna', 0.2, 1.2, 0.02],
];

/** https://platform.claude.com/docs/en/about-claude/pricing */
const anthropic: readonly TokenPrice[] = [
  ['claude-3-haiku', 0.25, 1.25],
  ['claude-3-5-haiku', 0.8, 4],
  ['claude-3-7-sonnet', 3, 15],
  ['claude-sonnet-4', 3, 15],
  ['claude-opus-4', 15, 75],
  ['claude-opus-4-1', 15, 75],
  ['claude-haiku-4-5', 1, 5],
  ['claude-sonnet-4-5', 3, 15],
  ['claude-opus-4-5', 5, 25],
  ['claude-opus-4-6', 5, 25],
  ['claude-opus-4-7', 5, 25],
  ['claude-opus-4-8', 5, 25],
  ['claude-sonnet-5', 3, 15],
  ['claude-fable-5', 10, 50],
  ['claude-mythos-5', 10, 50],
];

/** https://ai.google.dev/gemini-api/docs/pricing */
const google: readonly TokenPrice[] = [
  ['gemini-2.0-flash', 0.1, 0.4],
  ['gemini-2.0-flash-lite', 0.075, 0.3],
  ['gemini-2.5-flash', 0.3, 2.5, 0.03],
  ['gemini-2.5-flash-lite', 0.1, 0.4, 0.01],
  ['gemini-2.5-pro', 1.25, 10, 0.125],
  ['gemini-3-flash-preview', 0.5, 3],
  ['gemini-3-pro-preview', 2, 12],
  ['gemini-3.1-flash-lite-preview', 0.25, 1.5, 0.025],
  ['gemini-3.1-pro-preview', 2, 12],
  ['gemini-3.5-flash', 1.5, 9, 0.15],
  ['gemini-3.5-flash-lite', 0.3, 2.5, 0.03],
  ['gemini-3.6-flash', 1.5, 7.5, 0.15],
];

/**
 * https://api-docs.deepseek.com/quick_start/pricing, https://docs.x.ai/docs/models,
 * https://mistral.ai/pricing, https://platform.moonshot.ai/docs/pricing/chat and
 * https://aws.amazon.com/nova/pricing/
 */
const others: readonly TokenPrice[] = [
  ['deepseek-v4-flash', 0.14, 0.28, 0.028],
  ['deepseek-v4-pro', 1.74, 3.48, 0.145],
  ['grok-3', 3, 15, 0.75],
  ['grok-3-mini', 0.3, 0.5, 0.075],
  ['grok-4', 3, 15, 0.75],
  ['grok-4-fast', 0.2, 0.5, 0.05],
  ['grok-4-fast-reasoning', 0.2, 0.5, 0.05],
  ['grok-code-fast-1', 0.2, 1.5, 0.02],
  ['grok-4.3', 1.25, 2.5, 0.2],
  ['grok-4.5', 2, 6, 0.3],
  ['mistral-small', 0.1, 0.3],
  ['mistral-medium-2505', 0.4, 2],
  ['mistral-large', 2, 6],
  ['codestral', 0.3, 0.9],
  ['ministral-3b', 0.04, 0.04],
  ['ministral-8b', 0.1, 0.1],
  ['magistral-medium', 2, 5],
  ['kimi-k2-thinking', 0.6, 2.5, 0.15],
  ['kimi-k2-thinking-turbo', 1.15, 8, 0.15],
  ['qwen3.6-plus', 0.5, 3],
  ['minimax-m2', 0.3, 1.2],
  ['nova-micro', 0.035, 0.14],
  ['nova-lite', 0.06, 0.24],
  ['nova-pro', 0.8, 3.2],
  ['nova-premier', 2.5, 12.5],
];

/** Models that aren't billed by the token: https://platform.openai.com/docs/pricing */
const media: readonly (readonly [id: string, rates: Partial<Rates>])[] = [
  ['tts-1', { perMillionCharacters: 15 }],
  ['tts-1-hd', { perMillionCharacters: 30 }],
  ['whisper-1', { perSoundMinute: 0.006 }],
];

const ratesById: ReadonlyMap<string, Rates> = new Map([
  ...[...openAi, ...anthropic, ...google, ...others].map(
    ([id, inputPerMillionTokens, outputPerMillionTokens, cached = null]): [string, Rates] => [
      toKey(id),
      ratesSchema.parse({
        inputPerMillionTokens,
        outputPerMillionTokens,
        cachedInputPerMillionTokens: cached,
      }),
    ],
  ),
  ...media.map(([id, rates]): [string, Rates] => [toKey(id), ratesSchema.parse(rates)]),
]);

/**
 * Finds the price of a model under the names that gateways give it, such as `openai/gpt-4o` and
 * `claude-sonnet-4-5-20250929`. Variants such as `gpt-4o:free` and unknown names have none.
 */
export function findListPrice(model: string): Rates | null {
  const key = toKey(model);
  // Some dated versions, such as gpt-4o-2024-05-13, have their own price.
  return ratesById.get(key) ?? ratesById.get(key.replace(VERSION, '')) ?? null;
}

const VERSION = /-(?:20\d{6}|20\d{2}-\d{2}-\d{2}|latest)$/;

/** Removes the provider in front; `4.5` and `4-5` are the same version, as are `@` and `-`. */
function toKey(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/@(?=20\d{2})/, '-')
    .replaceAll('.', '-');
}
