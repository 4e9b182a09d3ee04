/** Keeps the response and choice fields that no field of a chat or completion state names. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';

const RESPONSE_FIELDS = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'usage', 'system_fingerprint', 'error'],
  'timings',
  // Random padding, in every chunk: https://platform.openai.com/docs/api-reference/chat-streaming
  'obfuscation',
]);
const CHOICE_FIELDS = new Set(['index', 'delta', 'message', 'text', 'finish_reason']);

/** Some gateways send the sources so far in every chunk, others each source once. */
const GROWING_LISTS = new Set(['annotations', 'citations', 'search_results', 'references']);

/** Keeps the latest value of each field; returns the same object if nothing changed. */
export function addResponseFields(before: JsonObject, body: JsonObject): JsonObject {
  return addFields(before, body, RESPONSE_FIELDS);
}

/** Joins the log probabilities of the chunks; of any other field, the latest value counts. */
export function addChoiceFields(before: JsonObject, choice: JsonObject): JsonObject {
  const { logprobs, ...rest } = choice;
  const after = addFields(before, rest, CHOICE_FIELDS);
  if (logprobs === undefined || logprobs === null) return after;
  const { logprobs: old } = after;
  const joined = appendLists(old, logprobs);
  return joined === old ? after : { ...after, logprobs: joined };
}

function addFields(before: JsonObject, fields: JsonObject, known: ReadonlySet<string>): JsonObject {
  let after = before;
  for (const [name, value] of Object.entries(fields)) {
    if (known.has(name) || value === null) continue;
    const { [name]: old } = after;
    const next = GROWING_LISTS.has(name) ? appendNew(old, value) : value;
    if (!isSameJson(old, next)) after = { ...after, [name]: next };
  }
  return after;
}

function appendNew(old: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!Array.isArray(old) || !Array.isArray(value)) return value;
  const isRepeated = old.every((item, at) => isSameJson(item, value[at]));
  if (isRepeated) return value;
  return [...old, ...value.filter((item) => !old.some((known) => isSameJson(known, item)))];
}

/** Appends every item, because equal tokens may have the same ID. */
function appendLists(old: JsonValue | undefined, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    if (!Array.isArray(old)) return value;
    return value.length === 0 ? old : [...old, ...value];
  }
  if (!isJsonObject(value) || !isJsonObject(old)) return value;
  let joined = old;
  for (const [name, item] of Object.entries(value)) {
    if (item === null) continue;
    const next = appendLists(old[name], item);
    if (next !== old[name]) joined = { ...joined, [name]: next };
  }
  return joined;
}
