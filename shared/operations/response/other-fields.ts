/** Collects fields of responses and choices that the chat and completion states don't define. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';

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

/** Keeps the latest value of each field; returns the same object if nothing changed. */
export function addResponseFields(before: JsonObject, body: JsonObject): JsonObject {
  return addFields(before, body, RESPONSE_FIELDS);
}

/** Keeps the latest value of each field; returns the same object if nothing changed. */
export function addChoiceFields(before: JsonObject, choice: JsonObject): JsonObject {
  return addFields(before, choice, CHOICE_FIELDS);
}

const NO_FIELDS: ReadonlySet<string> = new Set();

function addFields(before: JsonObject, fields: JsonObject, known: ReadonlySet<string>): JsonObject {
  let after = before;
  // Most chunks have only known fields, so don't build a list of entries for each.
  for (const name of Object.keys(fields)) {
    if (known.has(name)) continue;
    const value = fields[name];
    if (value === undefined || value === null) continue;
    const old = Object.hasOwn(after, name) ? after[name] : undefined;
    const next = addValue(old ?? null, value, name);
    if (!isSameJson(old, next)) after = { ...after, [name]: next };
  }
  return after;
}

/** The last chunk may repeat a field with an empty value. */
function addValue(old: JsonValue, value: JsonValue, name: string): JsonValue {
  if (old === null) return value;
  if (isJsonObject(old) && isJsonObject(value)) return addFields(old, value, NO_FIELDS);
  if (isEmpty(value)) return old;
  return GROWING_LISTS.has(name) ? appendNew(old, value) : value;
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

function appendNew(old: JsonValue, value: JsonValue): JsonValue {
  if (!Array.isArray(old) || !Array.isArray(value)) return value;
  const isRepeated = old.every((item, at) => isSameJson(item, value[at]));
  if (isRepeated) return value;
  return [...old, ...value.filter((item) => !old.some((known) => isSameJson(known, item)))];
}
