/** Unwraps a video task from gateway envelopes and finds the reason of a failure. */
import { isJsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';

const ENVELOPES = ['data', 'output', 'task', 'response', 'result'];
const RESULTS = [
  'task_result',
  'content',
  'video',
  'videos',
  'outputs',
  'results',
  'works',
  'generations',
];
const MAX_DEPTH = 4;
/** A response with more objects is unlikely to describe one task. */
const MAX_COUNT = 64;

const TASK_ID = ['task_id', 'taskId'];
const ID = [...TASK_ID, 'id', 'generation_id', 'video_id'];
const STATUS = ['task_status', 'taskStatus', 'status', 'state'];
/** Matches a status of the request, not of the task. */
const ENVELOPE_WORD = /^(?:ok|success|\d+)$/i;

export interface TaskEnvelope {
  /** Objects that may describe the task, innermost first. */
  task: JsonObject[];
  /** The task objects and the result objects, in the same order. */
  all: JsonObject[];
}

export function taskLayers(response: JsonObject): TaskEnvelope {
  const found: { layer: JsonObject; rank: number; isTask: boolean }[] = [];

  /** `isNamed`: an outer object already has the task's ID or status. */
  function collect(
    value: JsonValue | undefined,
    depth: number,
    { isTask, isNamed }: { isTask: boolean; isNamed: boolean },
  ): void {
    if (depth > MAX_DEPTH || found.length >= MAX_COUNT) return;
    if (Array.isArray(value)) {
      // Lists inside an identified task hold the results.
      const inside = { isTask: isTask && !isNamed, isNamed };
      for (const item of value) if (isJsonObject(item)) collect(item, depth, inside);
      return;
    }
    if (!isJsonObject(value)) return;
    const isAfter = depth > 1 || (depth === 1 && countsBefore(response, value));
    found.push({ layer: value, rank: isAfter ? depth + 1 : depth === 0 ? 1.5 : depth, isTask });
    const named = isNamed || namesTask(value);
    for (const name of ENVELOPES) collect(value[name], depth + 1, { isTask, isNamed: named });
    for (const name of RESULTS) {
      collect(value[name], depth + 1, { isTask: false, isNamed: named });
    }
  }

  collect(response, 0, { isTask: true, isNamed: false });
  const sorted = found.toSorted((a, b) => a.rank - b.rank);
  return {
    task: sorted.flatMap(({ layer, isTask }) => (isTask ? [layer] : [])),
    all: sorted.map(({ layer }) => layer),
  };
}

/** Returns true if the outer object is the task and the inner object is the result. */
function countsBefore(response: JsonObject, inner: JsonObject): boolean {
  const isTask = findText([response], TASK_ID) !== null;
  if (isTask !== (findText([inner], TASK_ID) !== null)) return isTask;
  return (
    hasTaskStatus(response) || (findText([response], ID) !== null && taskStatusWord(inner) === null)
  );
}

function namesTask(layer: JsonObject): boolean {
  return findText([layer], ID) !== null || hasTaskStatus(layer);
}

function hasTaskStatus(layer: JsonObject): boolean {
  const word = taskStatusWord(layer);
  return word !== null && !ENVELOPE_WORD.test(word);
}

/** Returns null if the status is not a string, because a number is usually the HTTP status. */
export function taskStatusWord(layer: JsonObject): string | null {
  const name = STATUS.find((status) => typeof layer[status] === 'string' && textIn(layer[status]));
  return name === undefined ? null : textIn(layer[name]);
}

/** Prefers the innermost status, so the status of an envelope never hides the task's. */
export function findStatus(layers: readonly JsonObject[]): string | null {
  for (const layer of layers) {
    const word = taskStatusWord(layer);
    if (word !== null) return word;
  }
  return findText(layers, STATUS);
}

export function findTaskId(layers: readonly JsonObject[]): string | null {
  return findText(layers, ID);
}

/**
 * Returns the first text or number under one of `names`; an earlier name wins over an inner layer.
 */
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
/** Matches a message about the request, not about the task. */
const EMPTY = /^(?:ok|success|succeed|succeeded|request successful)\.?$/i;
const FINE = /^(?:0|200|ok|success)$/i;
const NO_REASON = 'The gateway gave no reason.';

/** Returns text such as `No GPU (code 1201)`. */
export function reasonText({ code, message }: TaskReason): string {
  return code === null ? message : `${message} (code ${code})`;
}

export function readReason(layers: readonly JsonObject[]): TaskReason {
  const own = ownCode(layers);
  const found = firstInside(layers, ERRORS) ?? firstInside(layers, REASONS);
  return found === null
    ? { code: errorCode(layers) ?? own, message: NO_REASON }
    : { code: found.code ?? own, message: found.message };
}

/**
 * Reads `error` of a task that didn't fail; null if empty, because some gateways always send it.
 */
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

/** Accepts text, JSON in a string, nested error objects, or a list. */
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
