/** Reads token counts as tolerantly as their schema. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Usage } from './usage-schema.ts';

const PROMPT_DETAILS = ['cached_tokens', 'text_tokens', 'audio_tokens', 'image_tokens'];
const COMPLETION_DETAILS = ['text_tokens', 'audio_tokens', 'reasoning_tokens'];

/**
 * The schema's tolerance by hand, for streams that repeat the usage in every chunk: what fits is
 * returned unchanged, at the cost of a few comparisons, and provably JSON.
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
