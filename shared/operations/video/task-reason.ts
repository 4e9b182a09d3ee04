/** Why a task failed, wherever the reply says so. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { findText, textIn } from './task-layers.ts';

export interface TaskReason {
  code: string | null;
  message: string;
}

const ERRORS = ['error', 'errors', 'last_error'];
const REASONS = [
  'fail_reason',
  'failure_reason',
  'failReason',
  'failureReason',
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
const MAX_DEPTH = 4;
/** What an envelope says of itself, whatever became of the task. */
const EMPTY = /^(?:ok|success|succeed|succeeded|request successful)\.?$/i;
const FINE = /^(?:0|200|ok|success)$/i;
const NO_REASON = 'The gateway gave no reason.';

/** `No GPU (code 1201)` */
export function reasonText({ code, message }: TaskReason): string {
  return code === null ? message : `${message} (code ${code})`;
}

/** Of a task that failed. */
export function readReason(layers: readonly JsonObject[]): TaskReason {
  const own = ownCode(layers);
  const found = firstInside(layers, ERRORS) ?? firstInside(layers, REASONS);
  return found === null
    ? { code: errorCode(layers) ?? own, message: NO_REASON }
    : { code: found.code ?? own, message: found.message };
}

/** Beside the status of a task that did not fail: null if its error is empty, as some gateways always send it. */
export function readError(layers: readonly JsonObject[]): TaskReason | null {
  const found = firstInside(layers, ERRORS);
  if (found !== null) return found;
  const code = errorCode(layers);
  return code === null || FINE.test(code) ? null : { code, message: NO_REASON };
}

function firstInside(layers: readonly JsonObject[], names: readonly string[]): TaskReason | null {
  for (const name of names) {
    for (const layer of layers) {
      const found = inside(layer[name], 0);
      if (found !== null) return found;
    }
  }
  return null;
}

function errorCode(layers: readonly JsonObject[]): string | null {
  const errors = layers.flatMap(({ error }) => (isJsonObject(error) ? [error] : []));
  return findText(errors, ['code', 'type']);
}

/** A text, JSON in a text, an error object, one around another, or a list of any of these. */
function inside(value: JsonValue | undefined, depth: number): TaskReason | null {
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
  const code = textIn(value.code) ?? textIn(value.type);
  for (const name of ['message', 'error', 'msg', 'reason', 'detail']) {
    const found = inside(value[name], depth + 1);
    if (found) return { code: found.code ?? code, message: found.message };
  }
  return null;
}

function ownCode(layers: readonly JsonObject[]): string | null {
  const code = findText(layers, ['error_code', 'code']);
  return code === null || FINE.test(code) ? null : code;
}
