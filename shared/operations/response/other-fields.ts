/** Collects fields of responses and choices that the chat and completion states don't define. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';
import { type FoldBatch, MAX_UNIQUE_ITEMS, TOO_MUCH_WARNING } from './fold-batch.ts';
import type { Warn } from './values.ts';

const RESPONSE_FIELDS = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'usage', 'system_fingerprint', 'error'],
  'timings',
  // Random padding in each chunk: https://platform.openai.com/docs/api-reference/chat-streaming
  'obfuscation',
]);
const CHOICE_FIELDS = new Set([
  ...['index', 'delta', 'message', 'text', 'finish_reason', 'logprobs'],
]);

/** Lists that contain only sources, in order of precedence. */
export const SOURCE_LISTS = ['citations', 'search_results', 'references', 'sources', 'web_search'];

/** Some gateways resend all sources in each chunk; others send each source once. */
const GROWING_LISTS = new Set(['annotations', ...SOURCE_LISTS]);

/** Keeps the latest value of each field; returns the same object if nothing needs a copy. */
export function addResponseFields(
  before: JsonObject,
  body: JsonObject,
  batch: FoldBatch,
  warn: Warn,
): JsonObject {
  return addFields(before, body, RESPONSE_FIELDS, { batch, warn });
}

/** Keeps the latest value of each field; returns the same object if nothing needs a copy. */
export function addChoiceFields(
  before: JsonObject,
  choice: JsonObject,
  batch: FoldBatch,
  warn: Warn,
): JsonObject {
  return addFields(before, choice, CHOICE_FIELDS, { batch, warn });
}

interface Context {
  batch: FoldBatch;
  warn: Warn;
}

const NO_FIELDS: ReadonlySet<string> = new Set();

function addFields(
  before: JsonObject,
  fields: JsonObject,
  known: ReadonlySet<string>,
  context: Context,
): JsonObject {
  let after = before;
  // Most chunks have only known fields, so don't build a list of entries for each.
  for (const name of Object.keys(fields)) {
    if (known.has(name)) continue;
    const value = fields[name];
    if (value === undefined || value === null) continue;
    const old = Object.hasOwn(after, name) ? after[name] : undefined;
    if (old === undefined && !context.batch.hasRoom(after)) {
      context.warn(TOO_MUCH_WARNING);
      continue;
    }
    const next = addValue(old ?? null, value, name, context);
    if (next !== old) after = context.batch.set(after, name, next);
  }
  return after;
}

/** The last chunk may repeat a field with an empty value. */
function addValue(old: JsonValue, value: JsonValue, name: string, context: Context): JsonValue {
  if (old === null) return value;
  if (isJsonObject(old) && isJsonObject(value)) return addFields(old, value, NO_FIELDS, context);
  if (isEmpty(value)) return old;
  if (GROWING_LISTS.has(name) && Array.isArray(old) && Array.isArray(value)) {
    return addItems(old, value, context);
  }
  return isSameJson(old, value) ? old : value;
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

function addItems(old: JsonValue[], items: JsonValue[], { batch, warn }: Context): JsonValue[] {
  const isRepeated = old.every((item, at) => isSameJson(item, items[at]));
  if (isRepeated) return items.length === old.length ? old : items;
  let after = old;
  for (const item of items) {
    if (after.length < MAX_UNIQUE_ITEMS) after = batch.addUnique(after, item);
    else warn(TOO_MUCH_WARNING);
  }
  return after;
}
