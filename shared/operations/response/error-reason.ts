/** Finds the reason for a failure in the error formats of common gateways. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { findDisplayText, isError, isSuccessWord } from './values.ts';

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

/** Errors in these fields are more specific than a message next to them. */
const ERRORS = ['error', 'errors', 'last_error', 'base_resp'];
const FAILURES = [
  ...['fail_reason', 'failure_reason', 'failReason', 'failureReason', 'failure', 'fail_msg'],
  ...['error_description', 'error_msg', 'error_message', 'errorMessage', 'task_status_msg'],
];
const MESSAGES = [
  ...['message', 'Message', 'msg', 'raw_message', 'status_message', 'status_msg', 'detail'],
];
const SUMMARIES = ['details', 'description', 'reason', 'title'];
/** These fields often hold data, so they are searched last. */
const OUTER = ['response', 'data'];
const SEARCHED = new Set([...ERRORS, ...FAILURES, ...MESSAGES, ...SUMMARIES, ...OUTER]);
/** Fields that echo the request or contain a partial answer. */
const NOT_REASON = /^(?:choices|candidates|usage|requests?|inputs?|messages|param(?:eter)?s)$/;
/** An error of a few plain words is less specific than a message next to it. */
const LABEL = /^[\w-]+(?: [\w-]+){0,2}$/;

type Find = (body: JsonObject, depth: number) => Found | null;

/** Reads a body that contains only an error; null if it has neither a reason nor a code. */
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

/** Returns text such as `No GPU (Acme)`. */
export function describeMessage({ message, provider }: ErrorReason): string | null {
  return message === null || provider === null ? message : `${message} (${provider})`;
}

export interface ResultReason {
  code: string | null;
  message: string;
}

const NO_REASON = 'The gateway gave no reason.';

/** Returns text such as `No GPU (code 1201)`. */
export function formatReason({ code, message }: ResultReason): string {
  return code === null ? message : `${message} (code ${code})`;
}

/** Reads why a task failed; `otherwise` is the message if no known field contains one. */
export function readResultReason(
  layers: readonly JsonObject[],
  otherwise: string | null = null,
): ResultReason {
  return (
    findResultReason(layers) ?? {
      code: findErrorCode(layers) ?? findOwnCode(layers),
      message: otherwise ?? NO_REASON,
    }
  );
}

/** Searches objects that may also have results, the most specific one first. */
export function findResultReason(layers: readonly JsonObject[]): ResultReason | null {
  const found =
    findFirst(layers, [findError]) ??
    findFirst(layers, [findFailure]) ??
    findFirst(layers, [findText, findLabel, findOwnReason]) ??
    findFirst(layers, [findFinish]);
  if (found === null) return null;
  const { code, message } = toResultReason(found);
  return { code: code ?? findOwnCode(layers), message };
}

/** Reads the error of a task; null if empty, because some gateways always send the field. */
export function findResultError(layers: readonly JsonObject[]): ResultReason | null {
  const found = findFirst(layers, [findError]) ?? findFirst(layers, [findLabel]);
  if (found !== null) return toResultReason(found);
  const code = findErrorCode(layers);
  return code === null ? null : { code, message: NO_REASON };
}

function findFirst(layers: readonly JsonObject[], finds: readonly Find[]): Found | null {
  return findFirstResult(layers, (layer) => {
    const found = findFirstResult(finds, (find) => find(layer, 0));
    return found && { ...found, message: found.message + readGeneration(layer) };
  });
}

function toResultReason(found: Found): ResultReason {
  return { code: found.code ?? found.type, message: describeMessage(found) ?? NO_REASON };
}

function findErrorCode(layers: readonly JsonObject[]): string | null {
  const found = findFirstResult(layers, (layer) => findInnerCode(layer, 0));
  return found && (found.code ?? found.type);
}

function findOwnCode(layers: readonly JsonObject[]): string | null {
  return findFirstResult(layers, readCode);
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
  if (Array.isArray(value)) return findFirstResult(value, (item) => findCode(item, depth + 1));
  if (!isJsonObject(value)) return null;
  const found = findInnerCode(value, depth);
  if (found !== null) return found;
  const own = readFields(value);
  const isNamed = depth > 0 && (own.type ?? own.param) !== null;
  return own.code !== null || isNamed ? { ...noReason, ...own, message: null } : null;
}

function findInnerCode(body: JsonObject, depth: number): ErrorReason | null {
  const inner = [...ERRORS.map((name) => getHolder(body, name)), ...readChoiceErrors(body)];
  return findFirstResult(inner, (item) => findCode(item, depth + 1));
}

function findFirstResult<Item, Result>(
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
  if (isSuccessWord(trimmed)) return null;
  const inside = findMessage(parseInner(trimmed), depth + 1);
  return inside ?? { ...noReason, message: trimmed.slice(0, MAX_LENGTH) };
}

/** Returns undefined unless the text is a JSON object or list. */
function parseInner(text: string): JsonValue | undefined {
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return typeof json === 'object' ? json : undefined;
}

const noReason = { message: '', type: null, param: null, code: null, provider: null };

/** Joins the items of a validation error: `[{"loc": ["body", "model"], "msg": "Field required"}]`. */
function readList(items: readonly JsonValue[], depth: number): Found | null {
  const reasons = items.flatMap((item) => findMessage(item, depth + 1) ?? []);
  const [first] = reasons;
  if (first === undefined) return null;
  const messages = [...new Set(reasons.slice(0, 3).map(({ message }) => message))];
  return { ...first, message: joinSentences(messages).slice(0, MAX_LENGTH) };
}

/** Separates messages that don't end as sentences. */
function joinSentences(messages: readonly string[]): string {
  return messages.reduce(
    (joined, next) => `${joined}${/[.!?…。]$/.test(joined) ? '' : ';'} ${next}`,
  );
}

function readObject(body: JsonObject, depth: number): Found | null {
  const found = findFirstResult(WHOLE, (find) => find(body, depth));
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
    type: readShort(body.type) ?? readShort(body.status),
    param: readShort(body.param),
    code: readCode(body),
  };
}

const CODES = ['error_code', 'failureCode', 'failure_code', 'code', 'status_code'];

function readCode(body: JsonObject): string | null {
  return findFirstResult(CODES, (name) => {
    const code = readShort(body[name]);
    return code === null || isSuccessWord(code) ? null : code;
  });
}

/** OpenRouter puts the provider's own error into `metadata`, as text or JSON. */
const findUpstreamReason: Find = ({ metadata }, depth) => {
  if (!isJsonObject(metadata)) return null;
  const reason = findMessage(metadata.raw, depth + 1);
  const provider = readShort(metadata.provider_name);
  return reason && { ...reason, provider: reason.provider ?? provider };
};

const findError: Find = (body, depth) =>
  findFirstResult(ERRORS, (name) => {
    const value = getHolder(body, name);
    if (typeof value === 'string' && LABEL.test(value.trim())) return null;
    const isMap = name === 'errors' && isJsonObject(value);
    return isMap && !Object.keys(value).some((key) => SEARCHED.has(key))
      ? readInvalidFields(value, depth)
      : findMessage(value, depth + 1);
  }) ?? findFirstResult(readChoiceErrors(body), (error) => findMessage(error, depth + 1));

/** MiniMax sends `base_resp` with every response. */
function getHolder(body: JsonObject, name: string): JsonValue | undefined {
  const value = body[name];
  return name === 'base_resp' && !isFailedBase(value) ? undefined : value;
}

const findNamed =
  (names: readonly string[]): Find =>
  (body, depth) =>
    findFirstResult(names, (name) => findMessage(body[name], depth + 1));

const findFailure = findNamed(FAILURES);
const findText = findNamed(MESSAGES);
const findOwnReason = findNamed(['reason']);

const findLabel: Find = (body, depth) =>
  findFirstResult(ERRORS, (name) => {
    const value = body[name];
    return typeof value === 'string' ? findMessage(value, depth + 1) : null;
  });

const findSummary = findNamed(SUMMARIES);

/** Searches the objects and lists in all other fields, also in JSON as text. */
const findInside: Find = (body, depth) => {
  const others = Object.keys(body).filter((name) => !SEARCHED.has(name) && !NOT_REASON.test(name));
  return findFirstResult([...OUTER, ...others], (name) => {
    const value = body[name];
    return findMessage(typeof value === 'string' ? parseInner(value) : value, depth + 1);
  });
};

/** Reads a choice that ended with an error: https://openrouter.ai/docs/api-reference/errors */
const findFinish: Find = (body) => {
  const failed = getChoices(body).find(({ finish_reason: reason }) => reason === 'error');
  if (failed === undefined) return null;
  const native = readShort(failed.native_finish_reason);
  const message = `The model stopped${native === null ? '' : ` (${native})`}`;
  return { ...noReason, message, code: native };
};

const WHOLE: readonly Find[] = [
  ...[findUpstreamReason, findError, findFailure, findText, findLabel, findSummary],
  ...[findFinish, findInside],
];

/** Reads `{"model": ["is unknown"]}`, which names the fields of the request. */
function readInvalidFields(fields: JsonObject, depth: number): Found | null {
  const reasons = Object.entries(fields).flatMap(([name, value]) => {
    if (OWN_FIELDS.has(name) && !Array.isArray(value)) return [];
    const reason = findMessage(value, depth + 1);
    return reason === null ? [] : [`${reason.message} (${name})`];
  });
  return readList(reasons, depth);
}

const OWN_FIELDS = new Set(['type', 'status', 'param', 'code', 'status_code']);

function getChoices({ choices }: JsonObject): JsonObject[] {
  return Array.isArray(choices) ? choices.filter(isJsonObject) : [];
}

function readChoiceErrors(body: JsonObject): JsonValue[] {
  return getChoices(body).flatMap(({ error }) => error ?? []);
}

/** Returns true if a response contains an error, even if it also has a result. */
export function hasError(body: JsonObject): boolean {
  const hasFailed = ({ error, finish_reason: reason }: JsonObject) =>
    isError(error) || reason === 'error';
  return isError(body.error) || getChoices(body).some(hasFailed) || isFailedBase(body.base_resp);
}

/** MiniMax reports errors with status 200: https://github.com/adrianlyjak/obsidian-aloud-tts/pull/114 */
function isFailedBase(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const code = findDisplayText(value.status_code);
  return code !== null && !isSuccessWord(code);
}

function readLocation({ loc }: JsonObject): string {
  return Array.isArray(loc) && loc.length > 0 ? ` (${loc.map(String).join('.')})` : '';
}

/** Groq returns the text that it failed to parse as a tool call. */
function readGeneration({ failed_generation: text }: JsonObject): string {
  return typeof text === 'string' && text !== '' ? ` The model wrote: ${text.slice(0, 500)}` : '';
}

function readShort(value: JsonValue | undefined): string | null {
  return findDisplayText(value)?.slice(0, MAX_LENGTH) ?? null;
}
