/** Defines token usage, its spellings in responses, and the quantities that are billed. */

import { z } from 'zod';
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Media, MediaKind } from '../../media.ts';
import type { Quantities } from '../../quantities.ts';

const PROMPT_DETAILS = ['cached_tokens', 'text_tokens', 'audio_tokens', 'image_tokens'];
const COMPLETION_DETAILS = ['text_tokens', 'audio_tokens', 'reasoning_tokens'];

/** Avoids zod, because some streams repeat usage in each chunk; returns valid objects unchanged. */
export function readUsage(value: JsonObject): (Usage & JsonObject) | null {
  if (isUsage(value)) return value;
  const cleaned: JsonObject = {
    ...value,
    ...cleanCounts(value, ['prompt_tokens', 'completion_tokens', 'total_tokens']),
    ...cleanDetails(value, 'prompt_tokens_details', PROMPT_DETAILS),
    ...cleanDetails(value, 'completion_tokens_details', COMPLETION_DETAILS),
  };
  return isUsage(cleaned) ? cleaned : null;
}

function isUsage(value: JsonObject): value is Usage & JsonObject {
  return (
    isCount(value.prompt_tokens) &&
    isCount(value.completion_tokens) &&
    isCount(value.total_tokens) &&
    areDetails(value.prompt_tokens_details, PROMPT_DETAILS) &&
    areDetails(value.completion_tokens_details, COMPLETION_DETAILS)
  );
}

function isCount(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'number';
}

function areDetails(value: unknown, names: string[]): boolean {
  if (value === undefined || value === null) return true;
  return isJsonObject(value) && names.every((name) => isCount(value[name]));
}

function cleanCounts(value: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (isCount(value[name]) ? [] : [[name, getNumber(value[name])]])),
  );
}

function cleanDetails(value: JsonObject, name: string, counts: string[]): JsonObject {
  const details = value[name];
  if (areDetails(details, counts)) return {};
  return { [name]: isJsonObject(details) ? { ...details, ...cleanCounts(details, counts) } : null };
}

const count = z.number().nullable().catch(null).optional();

/** Replaces invalid counts with null, but keeps unknown fields. */
export const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z
    .looseObject({
      cached_tokens: count,
      text_tokens: count,
      audio_tokens: count,
      image_tokens: count,
    })
    .nullable()
    .catch(null)
    .optional(),
  completion_tokens_details: z
    .looseObject({ text_tokens: count, audio_tokens: count, reasoning_tokens: count })
    .nullable()
    .catch(null)
    .optional(),
});
export type Usage = z.infer<typeof usageSchema>;

type Place = readonly [field: string, ...inner: string[]];

/** Paths of a count, by gateway; if a response has several, all but one are 0. */
const PLACES = {
  input: [['prompt_tokens'], ['input_tokens']],
  output: [['completion_tokens'], ['output_tokens']],
  cached: [
    ['prompt_tokens_details', 'cached_tokens'],
    ['input_tokens_details', 'cached_tokens'],
    // https://api-docs.deepseek.com/guides/kv_cache
    ['prompt_cache_hit_tokens'],
    // https://platform.moonshot.ai/docs/api/chat
    ['cached_tokens'],
    // https://docs.claude.com/en/docs/build-with-claude/prompt-caching
    ['cache_read_input_tokens'],
  ],
  written: [
    // https://docs.claude.com/en/docs/build-with-claude/prompt-caching
    ['cache_creation_input_tokens'],
    // https://openrouter.ai/docs/features/prompt-caching
    ['prompt_tokens_details', 'cache_write_tokens'],
    ['input_tokens_details', 'cache_write_tokens'],
    // https://docs.litellm.ai/docs/completion/prompt_caching
    ['prompt_tokens_details', 'cache_creation_tokens'],
  ],
  writtenForHour: [
    // https://docs.claude.com/en/docs/build-with-claude/prompt-caching
    ['cache_creation', 'ephemeral_1h_input_tokens'],
    // https://docs.litellm.ai/docs/completion/prompt_caching
    ['prompt_tokens_details', 'cache_creation_token_details', 'ephemeral_1h_input_tokens'],
    // https://github.com/QuantumNous/new-api/blob/main/dto/openai_response.go
    ['claude_cache_creation_1_h_tokens'],
  ],
  reasoning: [
    ['completion_tokens_details', 'reasoning_tokens'],
    ['output_tokens_details', 'reasoning_tokens'],
    ['reasoning_tokens'],
  ],
} as const satisfies Record<string, readonly Place[]>;

/** Null if the gateway doesn't report the count. */
export type TokenCounts = Record<keyof typeof PLACES | 'total', number | null>;

export function getTokenCounts(usage: Usage | null): TokenCounts {
  const getMax = (places: readonly Place[]) =>
    places.reduce<number | null>((found, place) => {
      const tokens = usage && readCount(usage, place);
      return found === null ? tokens : Math.max(found, tokens ?? 0);
    }, null);
  const at = (field: string) => (usage && readCount(usage, [field])) ?? 0;
  const sent = getMax(PLACES.input);
  const reasoning = getMax(PLACES.reasoning);
  const total = usage && readCount(usage, ['total_tokens']);
  // Anthropic's `input_tokens` exclude cached tokens, unlike OpenAI's and `prompt_tokens`.
  const within =
    getMax(PLACES.cached.filter(([field]) => field !== 'cache_read_input_tokens')) ?? 0;
  const isBesideCache =
    sent !== null && at('prompt_tokens') === 0 && (within === 0 || within > sent);
  const input = isBesideCache
    ? sent + at('cache_read_input_tokens') + at('cache_creation_input_tokens')
    : sent;
  const rest = total === null || input === null ? null : clampToZero(total - input);
  const output = getMax(PLACES.output) ?? rest;
  // Some gateways exclude reasoning from completion tokens, so it shows only in the total.
  const isBesideOutput =
    input !== null && output !== null && reasoning !== null && total === input + output + reasoning;
  return {
    input,
    cached: getMax(PLACES.cached),
    written: getMax(PLACES.written),
    writtenForHour: getMax(PLACES.writtenForHour),
    output: isBesideOutput ? output + reasoning : output,
    reasoning,
    total,
  };
}

/** Returns input and output tokens, or the reported total; null if the gateway reports neither. */
export function sumTokens(usage: Usage | null): number | null {
  const { input, output, total } = getTokenCounts(usage);
  return input === null || output === null ? total : input + output;
}

function readCount(usage: Usage, place: Place): number | null {
  return clampToZero(
    place.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), usage),
  );
}

export function getUsedTokens(
  usage: Usage | null,
): Pick<
  Quantities,
  'inputTokens' | 'cachedTokens' | 'cacheWriteTokens' | 'hourCacheWriteTokens' | 'outputTokens'
> {
  const { input, cached, written, writtenForHour, output } = getTokenCounts(usage);
  return {
    inputTokens: input,
    ...(cached !== null && { cachedTokens: cached }),
    ...(written !== null && { cacheWriteTokens: written }),
    ...(writtenForHour !== null && { hourCacheWriteTokens: writtenForHour }),
    outputTokens: output,
  };
}

/** Skips usage without tokens, such as `{"type": "duration", "seconds": 9}`. */
export function getBilledTokens(
  usage: Usage | undefined,
): Partial<ReturnType<typeof getUsedTokens>> {
  const tokens = getUsedTokens(usage ?? null);
  return tokens.inputTokens === null && tokens.outputTokens === null ? {} : tokens;
}

/** https://docs.x.ai/developers/cost-tracking */
const TICKS_PER_DOLLAR = 1e10;

/** Returns the cost that the gateway reports, in US dollars; null if it reports none. */
export function getCharge(usage: Usage | null): number | null {
  if (usage === null) return null;
  const { cost, cost_in_usd_ticks: ticks } = usage;
  const billed = readDollars(ticks);
  return (
    // A number (https://openrouter.ai/docs/use-cases/usage-accounting), or an object (Perplexity).
    readDollars(isJsonObject(cost) ? cost.total_cost : cost) ??
    readDollars(usage.total_cost) ??
    // https://docs.llmgateway.io/features/cost-breakdown
    readDollars(usage.cost_usd_total) ??
    (billed === null ? null : billed / TICKS_PER_DOLLAR)
  );
}

/** Accepts text such as `0.0012` and `$0.0012`. */
export function readDollars(value: unknown): number | null {
  if (typeof value !== 'string') return clampToZero(value);
  const text = value.trim().replace(/^\$/, '');
  return text === '' ? null : clampToZero(Number(text));
}

/** Returns the total duration; null if there are no files or a duration is unknown. */
export function getSeconds(media: readonly Media[], kind: MediaKind): number | null {
  const files = getComplete(media, kind);
  if (files.length === 0) return null;
  return files.reduce<number | null>(
    (sum, { durationSeconds }) =>
      sum === null || durationSeconds === null ? null : sum + durationSeconds,
    0,
  );
}

export function getCount(media: readonly Media[], kind: MediaKind): number {
  return getComplete(media, kind).length;
}

function getComplete(media: readonly Media[], kind: MediaKind): Media[] {
  return media.filter((file) => file.kind === kind && file.complete);
}

function clampToZero(value: unknown): number | null {
  const number = getNumber(value);
  return number !== null && number >= 0 ? number : null;
}
