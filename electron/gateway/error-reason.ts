/** Extracts the reason for a failure from the error formats of common gateways. */
import { isJsonNumber } from '../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { isFailedBase } from '../../shared/operations/response/response-reason.ts';
import { isError } from '../../shared/operations/response/values.ts';
import { parseJson } from '../../shared/parse-json.ts';

export interface ErrorReason {
  /** Null if the gateway gave only a code. */
  message: string | null;
  type: string | null;
  param: string | null;
  code: string | null;
  /** The upstream provider whose error the gateway forwarded. */
  provider: string | null;
}

type Found = ErrorReason & { message: string };

const MAX_DEPTH = 8;
const MAX_LENGTH = 4096;

/** Objects and lists in these fields are more specific than a message next to them. */
const SPECIFIC = ['error', 'errors', 'base_resp'];
const MESSAGES = [
  ...['message', 'Message', 'msg', 'error_description', 'error_msg', 'error_message'],
  ...['errorMessage', 'status_msg', 'fail_reason', 'failure_reason', 'failure'],
];
const SUMMARIES = ['description', 'reason', 'title'];
/** These fields often hold data, so they are searched last. */
const OUTER = ['response', 'data'];

/** Returns null if the value has neither text that reads as a reason nor a code. */
export function findReason(value: JsonValue | undefined): ErrorReason | null {
  const found = findMessage(value, 0);
  const coded = findCode(value, 0);
  if (found === null || coded === null) return found ?? coded;
  return {
    ...found,
    type: found.type ?? coded.type,
    param: found.param ?? coded.param,
    code: found.code ?? coded.code,
  };
}

function findMessage(value: JsonValue | undefined, depth: number): Found | null {
  if (value === undefined || value === null || depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return readTextReason(value, depth);
  if (Array.isArray(value)) return readList(value, depth);
  return isJsonObject(value) ? readObject(value, depth) : null;
}

/** Reads an error that has a code, type or parameter, but no message. */
function findCode(value: JsonValue | undefined, depth: number): ErrorReason | null {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return firstOf(value, (item) => findCode(item, depth + 1));
  if (!isJsonObject(value)) return null;
  const { error, errors, base_resp: base, choices } = value;
  const failed = Array.isArray(choices) ? choices.filter(isJsonObject) : [];
  const inner = [error, errors, isFailedBase(base) ? base : null, ...failed.map((of) => of.error)];
  const found = firstOf(inner, (item) => findCode(item, depth + 1));
  if (found !== null) return found;
  const own = readFields(value);
  const hasCode = own.code !== null && isError(own.code) && own.code !== '200';
  const isNamed = depth > 0 && (own.type ?? own.param) !== null;
  return hasCode || isNamed ? { ...noReason, ...own, message: null } : null;
}

function firstOf<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | null,
): Result | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

/** Text may be JSON, such as an error of a provider that the gateway passed on. */
function readTextReason(text: string, depth: number): Found | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const json = /^[[{]/.test(trimmed) ? parseJson(trimmed) : undefined;
  return (
    findMessage(isJsonObject(json) || Array.isArray(json) ? json : undefined, depth + 1) ?? {
      ...noReason,
      message: trimmed.slice(0, MAX_LENGTH),
    }
  );
}

const noReason = { message: '', type: null, param: null, code: null, provider: null };

/** Joins the items of a validation error: `[{"loc": ["body", "model"], "msg": "Field required"}]`. */
function readList(items: readonly JsonValue[], depth: number): Found | null {
  const reasons = items.flatMap((item) => findMessage(item, depth + 1) ?? []);
  const [first] = reasons;
  if (first === undefined) return null;
  const messages = [...new Set(reasons.slice(0, 3).map(({ message }) => message))];
  return { ...first, message: messages.join(' ').slice(0, MAX_LENGTH) };
}

function readObject(body: JsonObject, depth: number): Found | null {
  const found = findPassedOn(body, depth) ?? findInside(body, depth);
  if (found === null) return null;
  const own = readFields(body);
  return {
    message: found.message + readLocation(body) + readGeneration(body),
    type: found.type ?? own.type,
    param: found.param ?? own.param,
    code: found.code ?? own.code,
    provider: found.provider,
  };
}

function readFields(body: JsonObject): Pick<ErrorReason, 'type' | 'param' | 'code'> {
  return {
    type: readText(body.type) ?? readText(body.status),
    param: readText(body.param),
    code: readText(body.code) ?? readText(body.status_code),
  };
}

/** OpenRouter puts the provider's own error into `metadata`, as text or JSON. */
function findPassedOn({ metadata }: JsonObject, depth: number): Found | null {
  if (!isJsonObject(metadata)) return null;
  const reason = findMessage(metadata.raw, depth + 1);
  const provider = readText(metadata.provider_name);
  return reason && { ...reason, provider: reason.provider ?? provider };
}

function findInside(body: JsonObject, depth: number): Found | null {
  const search = (value: JsonValue | undefined) => findMessage(value, depth + 1);
  const inNamed = (name: string) => search(body[name]);
  const inHolder = (name: string) => {
    const value = body[name];
    if (typeof value !== 'object' || (name === 'base_resp' && !isFailedBase(value))) return null;
    return search(value) ?? (name === 'errors' ? readInvalidFields(value, depth) : null);
  };
  return (
    firstOf(SPECIFIC, inHolder) ??
    firstOf(MESSAGES, inNamed) ??
    inNamed('detail') ??
    // `{"error": "text"}`
    firstOf(['error', 'errors', ...SUMMARIES], inNamed) ??
    firstOf(OUTER, inHolder) ??
    findChoiceError(body, depth)
  );
}

/** Reads `{"model": ["is unknown"]}`, which names the fields of the request. */
function readInvalidFields(fields: JsonValue, depth: number): Found | null {
  if (!isJsonObject(fields)) return null;
  const reasons = Object.entries(fields).flatMap(([name, value]) => {
    if (OWN_FIELDS.has(name) && !Array.isArray(value)) return [];
    const reason = findMessage(value, depth + 1);
    return reason === null ? [] : [`${reason.message} (${name})`];
  });
  return readList(reasons, depth);
}

const OWN_FIELDS = new Set(['type', 'status', 'param', 'code', 'status_code']);

/** Reads the error of a choice: https://openrouter.ai/docs/api-reference/errors */
function findChoiceError({ choices }: JsonObject, depth: number): Found | null {
  if (!Array.isArray(choices)) return null;
  for (const choice of choices) {
    if (!isJsonObject(choice)) continue;
    const reason = findMessage(choice.error, depth + 1);
    if (reason !== null) return reason;
    if (choice.finish_reason !== 'error') continue;
    const native = readText(choice.native_finish_reason);
    const message = `The model stopped with an error${native === null ? '' : ` (${native})`}`;
    return { ...noReason, message, code: native };
  }
  return null;
}

/** Returns true if a choice contains an error instead of an answer. */
export function hasFailedChoice({ choices }: JsonObject): boolean {
  return (
    Array.isArray(choices) &&
    choices.some(
      (choice) =>
        isJsonObject(choice) && (isError(choice.error) || choice.finish_reason === 'error'),
    )
  );
}

function readLocation({ loc }: JsonObject): string {
  return Array.isArray(loc) && loc.length > 0 ? ` (${loc.map(String).join('.')})` : '';
}

/** Groq returns the text that it failed to parse as a tool call. */
function readGeneration({ failed_generation: text }: JsonObject): string {
  return typeof text === 'string' && text !== '' ? ` The model wrote: ${text.slice(0, 500)}` : '';
}

function readText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value.slice(0, MAX_LENGTH);
  return isJsonNumber(value) ? String(value) : null;
}
