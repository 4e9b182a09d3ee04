/** Defines token usage, how responses spell usage, and the quantities that prices count. */

import { z } from 'zod';
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Media, MediaKind } from '../../media.ts';
import type { Quantities } from '../../quantities.ts';

const PROMPT_DETAILS = ['cached_tokens', 'text_tokens', 'audio_tokens', 'image_tokens'];
const COMPLETION_DETAILS = ['text_tokens', 'audio_tokens', 'reasoning_tokens'];

/**
 * Avoids zod, because some streams repeat usage in every chunk; returns a valid object unchanged.
 */
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

/** Replaces invalid counts with null and keeps unknown counts. */
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

export function tokensUsed(
  usage: Usage | null,
): Pick<Quantities, 'inputTokens' | 'cachedTokens' | 'outputTokens'> {
  const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
  const known = (tokens: number | null | undefined) => atLeastZero(tokens);
  const input = known(prompt_tokens);
  const total = known(total_tokens);
  const rest = total === null || input === null ? null : atLeastZero(total - input);
  const cached = known(usage?.prompt_tokens_details?.cached_tokens);
  return {
    inputTokens: input,
    ...(cached !== null && { cachedTokens: cached }),
    outputTokens: known(completion_tokens) ?? rest,
  };
}

/** Returns the total duration; null if there is no file or any duration is unknown. */
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

function atLeastZero(count: number | null | undefined): number | null {
  return typeof count === 'number' && count >= 0 ? count : null;
}
