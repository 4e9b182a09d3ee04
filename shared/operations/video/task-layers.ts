/** The objects of a task reply in which its fields may be: gateways wrap and nest them in many ways. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { textOfValue } from '../reply/values.ts';

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
const DEEPEST = 4;
/** A reply that lists more than this lists something else. */
const MOST = 64;

export interface TaskLayers {
  /** What may describe the task. The first level inside the reply counts before the reply itself, deeper ones last. */
  task: JsonObject[];
  /** These and what holds the result, in the same order. */
  all: JsonObject[];
}

export function taskLayers(reply: JsonObject): TaskLayers {
  const found: { layer: JsonObject; depth: number; isTask: boolean }[] = [];

  function collect(value: JsonValue | undefined, depth: number, isTask: boolean): void {
    if (depth > DEEPEST || found.length >= MOST) return;
    if (Array.isArray(value)) {
      for (const item of value) if (isJsonObject(item)) collect(item, depth, isTask);
      return;
    }
    if (!isJsonObject(value)) return;
    found.push({ layer: value, depth, isTask });
    for (const name of ENVELOPES) collect(value[name], depth + 1, isTask);
    for (const name of RESULTS) collect(value[name], depth + 1, false);
  }

  collect(reply, 0, true);
  const rank = (depth: number) => (depth === 0 ? 1.5 : depth);
  const sorted = found.toSorted((a, b) => rank(a.depth) - rank(b.depth));
  return {
    task: sorted.flatMap(({ layer, isTask }) => (isTask ? [layer] : [])),
    all: sorted.map(({ layer }) => layer),
  };
}

/** The first text under one of `names`; a name counts before a layer. Numbers count as text. */
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
  return typeof value === 'number' ? textOfValue(value) : null;
}
