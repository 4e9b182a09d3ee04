/** Finds the reason of a failure anywhere in a response body, in the shapes that gateways use. */
import { isJsonNumber } from '../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';

export interface ErrorReason {
  message: string;
  type: string | null;
  param: string | null;
  code: string | null;
  /** The provider behind the gateway whose error the gateway passed on. */
  provider: string | null;
}

const MAX_DEPTH = 8;
const MAX_LENGTH = 4096;

/** Fields that may contain the reason as text, an object or a list, the most specific first. */
const CONTAINERS = ['error', 'errors', 'base_resp', 'response', 'detail', 'data'];
const MESSAGES = [
  ...['message', 'msg', 'detail', 'error_msg', 'error_message', 'status_msg', 'errorMessage'],
  ...['fail_reason', 'failure_reason', 'description', 'reason', 'title'],
];

/** Returns null if the value has no text that reads as a reason. */
export function findReason(value: JsonValue | undefined, depth = 0): ErrorReason | null {
  if (value === undefined || value === null || depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return readTextReason(value, depth);
  if (Array.isArray(value)) return readList(value, depth);
  return isJsonObject(value) ? readObject(value, depth) : null;
}

/** Text may be JSON, such as an error of a provider that the gateway passed on. */
function readTextReason(text: string, depth: number): ErrorReason | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const json = /^[[{]/.test(trimmed) ? parseJson(trimmed) : undefined;
  return (
    findReason(isJsonObject(json) || Array.isArray(json) ? json : undefined, depth + 1) ?? {
      ...noReason,
      message: trimmed.slice(0, MAX_LENGTH),
    }
  );
}

const noReason = { message: '', type: null, param: null, code: null, provider: null };

/** Joins the items of a validation error: `[{"loc": ["body", "model"], "msg": "Field required"}]`. */
function readList(items: readonly JsonValue[], depth: number): ErrorReason | null {
  const reasons = items.flatMap((item) => findReason(item, depth + 1) ?? []);
  const [first] = reasons;
  if (first === undefined) return null;
  const messages = [...new Set(reasons.slice(0, 3).map(({ message }) => message))];
  return { ...first, message: messages.join(' ').slice(0, MAX_LENGTH) };
}

function readObject(body: JsonObject, depth: number): ErrorReason | null {
  const found = findPassedOn(body, depth) ?? findInside(body, depth);
  if (found === null) return null;
  return {
    message: found.message + readLocation(body) + readGeneration(body),
    type: found.type ?? readText(body.type) ?? readText(body.status),
    param: found.param ?? readText(body.param),
    code: found.code ?? readText(body.code) ?? readText(body.status_code),
    provider: found.provider,
  };
}

/** OpenRouter puts the provider's own error into `metadata`, as text or JSON. */
function findPassedOn({ metadata }: JsonObject, depth: number): ErrorReason | null {
  if (!isJsonObject(metadata)) return null;
  const reason = findReason(metadata.raw, depth + 1);
  const provider = readText(metadata.provider_name);
  return reason && { ...reason, provider: reason.provider ?? provider };
}

function findInside(body: JsonObject, depth: number): ErrorReason | null {
  for (const name of CONTAINERS) {
    const value = body[name];
    if (name === 'base_resp' && !isFailedBase(value)) continue;
    if (typeof value === 'object' && value !== null) {
      const reason = findReason(value, depth + 1);
      if (reason !== null) return reason;
    }
  }
  for (const name of MESSAGES) {
    const reason = findReason(body[name], depth + 1);
    if (reason !== null) return reason;
  }
  // `{"error": "text"}` and `{"errors": {"model": ["is unknown"]}}`
  const rest = typeof body.error === 'string' ? body.error : body.errors;
  return findReason(rest, depth + 1) ?? findChoiceError(body, depth);
}

/** Reads the error of a choice: https://openrouter.ai/docs/api-reference/errors */
function findChoiceError({ choices }: JsonObject, depth: number): ErrorReason | null {
  if (!Array.isArray(choices)) return null;
  for (const choice of choices) {
    if (!isJsonObject(choice)) continue;
    const reason = findReason(choice.error, depth + 1);
    if (reason !== null) return reason;
    if (choice.finish_reason !== 'error') continue;
    const native = readText(choice.native_finish_reason);
    const message = `The model stopped with an error${native === null ? '' : ` (${native})`}`;
    return { ...noReason, message, code: native };
  }
  return null;
}

/** Returns true if a choice of a response or chunk reports an error in place of an answer. */
export function hasFailedChoice({ choices }: JsonObject): boolean {
  return (
    Array.isArray(choices) &&
    choices.some(
      (choice) =>
        isJsonObject(choice) && (hasValue(choice.error) || choice.finish_reason === 'error'),
    )
  );
}

/** MiniMax reports errors with status 200: https://github.com/adrianlyjak/obsidian-aloud-tts/pull/114 */
export function isFailedBase(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const code = readText(value.status_code);
  return code !== null && !/^0+$/.test(code);
}

/** Some gateways send `error: null`, `error: ""` or `error: false` with every response. */
export function hasValue(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

function readLocation({ loc }: JsonObject): string {
  return Array.isArray(loc) && loc.length > 0 ? ` (${loc.map(String).join('.')})` : '';
}

/** Groq returns the text that it couldn't parse as a tool call. */
function readGeneration({ failed_generation: text }: JsonObject): string {
  return typeof text === 'string' && text !== '' ? ` The model wrote: ${text.slice(0, 500)}` : '';
}

function readText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value.slice(0, MAX_LENGTH);
  return isJsonNumber(value) ? String(value) : null;
}
