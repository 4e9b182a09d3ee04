/** Applies a `Patch` to a JSON state; free of zod, so that the page can use it. */
import type { JsonObject, JsonValue } from './json.ts';
import type { JsonState, Patch } from './patch.ts';

/** A new state; `state` is left as it was and what the patch does not touch is shared. Throws where it does not fit. */
export function applyPatch<State>(state: JsonState<State>, patch: Patch): State {
  // A patch is the difference between two values of one type, both JSON at run time.
  const json = state as JsonValue;
  return patch.reduce((current, step) => applyStep(current, step, 0), json) as State;
}

function applyStep(value: JsonValue | undefined, step: Patch[number], depth: number): JsonValue {
  const key = step.path[depth];
  if (key === undefined) return applyHere(value, step);
  if (Array.isArray(value) && typeof key === 'number') {
    const copy = value.slice();
    copy[key] = applyStep(value[key], step, depth + 1);
    return copy;
  }
  if (isObject(value) && typeof key === 'string') {
    if (step.op === 'remove' && depth === step.path.length - 1) {
      const { [key]: _removed, ...rest } = value;
      return rest;
    }
    return { ...value, [key]: applyStep(value[key], step, depth + 1) };
  }
  throw misfit(step);
}

function applyHere(value: JsonValue | undefined, step: Patch[number]): JsonValue {
  if (step.op === 'set') return step.value;
  if (step.op === 'append' && typeof value === 'string') return value + step.text;
  throw misfit(step);
}

function misfit(step: Patch[number]): Error {
  return new Error(`The patch does not fit the state at ${step.path.join('.')}`);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
