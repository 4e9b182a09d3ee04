/** Finds the reason for a failure that a gateway reports in a 2xx response. */
import { isJsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';

export interface ResponseReason {
  code: string | null;
  message: string;
}

const MAX_DEPTH = 4;
const ERRORS = ['error', 'errors', 'last_error', 'base_resp'];
const REASONS = [
  'fail_reason',
  'failure_reason',
  'failReason',
  'failureReason',
  'failure',
  'fail_msg',
  'error_message',
  'error_msg',
  'task_status_msg',
  'status_message',
  'status_msg',
  'reason',
  'message',
  'msg',
  'detail',
];
/** Matches a message about the request rather than the task. */
const EMPTY = /^(?:ok|success|succeed|succeeded|request successful)\.?$/i;
const FINE = /^(?:0|200|ok|success)$/i;
const NO_REASON = 'The gateway gave no reason.';

/** Returns text such as `No GPU (code 1201)`. */
export function reasonText({ code, message }: ResponseReason): string {
  return code === null ? message : `${message} (code ${code})`;
}

/** Reads why a task failed; `otherwise` is the message if no known field contains one. */
export function readReason(
  layers: readonly JsonObject[],
  otherwise: string | null = null,
): ResponseReason {
  const own = ownCode(layers);
  const found = findMessage(layers);
  return found === null
    ? { code: errorCode(layers) ?? own, message: otherwise ?? NO_REASON }
    : { code: found.code ?? own, message: found.message };
}

/** Returns null if no field has a message other than success. */
export function findMessage(layers: readonly JsonObject[]): ResponseReason | null {
  return firstInside(layers, ERRORS) ?? firstInside(layers, REASONS);
}

/**
 * Reads a non-failed task's `error`; null if empty, because some gateways always send the field.
 */
export function readError(layers: readonly JsonObject[]): ResponseReason | null {
  const found = firstInside(layers, ERRORS);
  if (found !== null) return found;
  const code = errorCode(layers);
  return code === null || FINE.test(code) ? null : { code, message: NO_REASON };
}

/** Returns the first text or number in a field of `names`, checking each name in every layer. */
export function findText(layers: readonly JsonObject[], names: readonly string[]): string | null {
  for (const name of names) {
    for (const layer of layers) {
      const found = textIn(layer[name]);
      if (found !== null) return found;
    }
  }
  return null;
}

export function textIn(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return isJsonNumber(value) ? String(value) : null;
}

/** MiniMax reports errors with status 200: https://github.com/adrianlyjak/obsidian-aloud-tts/pull/114 */
export function isFailedBase(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const code = textIn(value.status_code);
  return code !== null && !/^0+$/.test(code);
}

function firstInside(
  layers: readonly JsonObject[],
  names: readonly string[],
): ResponseReason | null {
  for (const name of names) {
    for (const layer of layers) {
      if (name === 'base_resp' && !isFailedBase(layer[name])) continue;
      const found = inside(layer[name], 0);
      if (found !== null) return found;
    }
  }
  return null;
}

function errorCode(layers: readonly JsonObject[]): string | null {
  const errors = layers.flatMap(({ error, base_resp: base }) =>
    [error, isFailedBase(base) ? base : null].filter(isJsonObject),
  );
  return findText(errors, ['code', 'type', 'status_code']);
}

/** Accepts text, JSON in a string, nested error objects, or a list. */
function inside(value: JsonValue | undefined, depth: number): ResponseReason | null {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') {
    const text = value.trim();
    const json = /^[{[]/.test(text) ? inside(parseJson(text), depth + 1) : null;
    if (json) return json;
    return text === '' || EMPTY.test(text) ? null : { code: null, message: text };
  }
  if (Array.isArray(value)) {
    const all = value.flatMap((item) => inside(item, depth + 1) ?? []);
    const [first] = all;
    if (first === undefined) return null;
    return { code: first.code, message: [...new Set(all.map(({ message }) => message))].join(' ') };
  }
  if (!isJsonObject(value)) return null;
  const code = textIn(value.code) ?? textIn(value.type) ?? textIn(value.status_code);
  for (const name of ['message', 'error', 'msg', 'reason', 'detail', 'raw_message', 'status_msg']) {
    const found = inside(value[name], depth + 1);
    if (found) return { code: found.code ?? code, message: found.message };
  }
  return null;
}

function ownCode(layers: readonly JsonObject[]): string | null {
  const code = findText(layers, ['error_code', 'failureCode', 'failure_code', 'code']);
  return code === null || FINE.test(code) ? null : code;
}
