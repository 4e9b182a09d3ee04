/** Unwraps a video task from a gateway's envelope and finds its ID and status. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { findDisplayText, findText } from '../response/values.ts';

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
/** A response with more objects probably doesn't describe a single task. */
const MAX_COUNT = 64;

const TASK_ID = ['task_id', 'taskId', 'job_id', 'jobId'];
const ID = [...TASK_ID, 'id', 'generation_id', 'video_id'];
/** Matches an operation name as defined by https://google.aip.dev/151. */
const OPERATION = /^(?:[^\s/]+\/)*operations\/[^\s/]+$/;
const STATUS = ['task_status', 'taskStatus', 'status', 'state', 'status_name', 'job_status'];
/** Matches a status of the request rather than the task. */
const ENVELOPE_WORD = /^(?:ok|success|\d+)$/i;

export interface TaskEnvelope {
  /** Objects that may describe the task, innermost first. */
  task: JsonObject[];
  /** Task objects and result objects, in the same order. */
  all: JsonObject[];
}

export function readTaskLayers(response: JsonObject): TaskEnvelope {
  const found: { layer: JsonObject; rank: number; isTask: boolean }[] = [];

  /** `isNamed`: an outer object has the task's ID or status. */
  function collect(
    value: JsonValue | undefined,
    depth: number,
    { isTask, isNamed }: { isTask: boolean; isNamed: boolean },
  ): void {
    if (depth > MAX_DEPTH || found.length >= MAX_COUNT) return;
    if (Array.isArray(value)) {
      // Lists inside an identified task contain the results.
      const inside = { isTask: isTask && !isNamed, isNamed };
      for (const item of value) if (isJsonObject(item)) collect(item, depth, inside);
      return;
    }
    if (!isJsonObject(value)) return;
    const isAfter = depth > 1 || (depth === 1 && isResponseFirst(response, value));
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

/** Returns true if the outer object is the task and the inner one is its result. */
function isResponseFirst(response: JsonObject, inner: JsonObject): boolean {
  const isTask = findText([response], TASK_ID) !== null;
  if (isTask !== (findText([inner], TASK_ID) !== null)) return isTask;
  return (
    hasTaskStatus(response) ||
    (findText([response], ID) !== null && readTaskStatusWord(inner) === null)
  );
}

function namesTask(layer: JsonObject): boolean {
  return findText([layer], ID) !== null || hasTaskStatus(layer);
}

function hasTaskStatus(layer: JsonObject): boolean {
  const word = readTaskStatusWord(layer);
  return word !== null && !ENVELOPE_WORD.test(word);
}

/** Returns null if the status isn't a string, because numbers are usually HTTP statuses. */
export function readTaskStatusWord(layer: JsonObject): string | null {
  const name = STATUS.find(
    (status) => typeof layer[status] === 'string' && findDisplayText(layer[status]),
  );
  return name === undefined ? null : findDisplayText(layer[name]);
}

/**
 * Prefers words to numbers and inner words to outer ones, because envelopes may have a status too.
 */
export function findStatus(layers: readonly JsonObject[]): string | null {
  for (const layer of layers) {
    const word = readTaskStatusWord(layer);
    if (word !== null && /\D/.test(word)) return word;
  }
  return findText(layers, STATUS);
}

/** An operation has a name, possibly a path, instead of an ID. */
export function findTaskId(layers: readonly JsonObject[]): string | null {
  const isOperation = ({ name }: JsonObject) => typeof name === 'string' && OPERATION.test(name);
  return (
    findText(layers.filter(isOperation), ['name']) ??
    findText(layers, ID) ??
    findText(
      layers.filter(({ done }) => typeof done === 'boolean'),
      ['name'],
    )
  );
}

const DONE = ['done', 'finished', 'completed', 'is_done', 'is_finished', 'is_completed'];

/** Returns null unless the task has `done`, which operations use instead of a status. */
export function findDone(layers: readonly JsonObject[]): boolean | null {
  const found = layers.flatMap((layer) => DONE.map((name) => layer[name]));
  return found.find((value) => typeof value === 'boolean') ?? null;
}
