/** Diffs JSON states, so that the main process can send small patches to the page. */
import { ExactNumber } from './exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue, setField } from './json.ts';

export type PatchPath = (string | number)[];

/** Steps apply in order, and each path starts at the root of the state. */
export type Patch = (
  | { op: 'append'; path: PatchPath; text: string }
  | { op: 'set'; path: PatchPath; value: JsonValue }
  | { op: 'remove'; path: PatchPath }
  /** Appends items to a list, or adds fields to an object. */
  | { op: 'extend'; path: PatchPath; value: JsonValue[] | JsonObject }
)[];

/** Accepts any state type that is JSON at runtime. */
type JsonState<State> = State extends (...args: never[]) => unknown ? never : State;

/** Returns an empty patch if the states are equal. */
export function diff<State>(before: JsonState<State>, after: JsonState<State>): Patch {
  const patch: Patch = [];
  compare(before as JsonValue, after as JsonValue, [], patch);
  return patch;
}

function compare(before: JsonValue, after: JsonValue, path: PatchPath, patch: Patch): void {
  if (before === after || isSameNumber(before, after)) return;
  if (typeof before === 'string' && typeof after === 'string') {
    if (before.length > 0 && after.length > before.length && after.startsWith(before)) {
      patch.push({ op: 'append', path, text: after.slice(before.length) });
    } else {
      patch.push({ op: 'set', path, value: after });
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && after.length >= before.length) {
    for (const [index, item] of after.entries()) {
      const old = before[index];
      if (old === undefined) patch.push({ op: 'set', path: [...path, index], value: item });
      else if (old !== item) compare(old, item, [...path, index], patch);
    }
    return;
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(after, key)) patch.push({ op: 'remove', path: [...path, key] });
    }
    for (const [key, value] of Object.entries(after)) {
      const old = before[key];
      if (old === undefined || !Object.hasOwn(before, key)) {
        patch.push({ op: 'set', path: [...path, key], value });
      } else compare(old, value, [...path, key], patch);
    }
    return;
  }
  patch.push({ op: 'set', path, value: after });
}

function isSameNumber(before: JsonValue, after: JsonValue): boolean {
  return (
    before instanceof ExactNumber && after instanceof ExactNumber && before.source === after.source
  );
}

/** Returns a new state that shares unchanged values; throws if the patch doesn't fit. */
export function applyPatch<State>(state: JsonState<State>, patch: Patch): State {
  // The cast is safe, because a patch always compares two states of the same type.
  const json = state as JsonValue;
  const copies: Copies = new Set();
  return patch.reduce((current, step) => applyStep(current, step, 0, copies), json) as State;
}

/** Objects and lists that this patch copied, which later steps change without another copy. */
type Copies = Set<JsonValue>;

function applyStep(
  value: JsonValue | undefined,
  step: Patch[number],
  depth: number,
  copies: Copies,
): JsonValue {
  const key = step.path[depth];
  if (key === undefined) return applyAtTarget(value, step);
  if (Array.isArray(value) && typeof key === 'number') {
    const copy = copies.has(value) ? value : value.slice();
    copy[key] = applyStep(value[key], step, depth + 1, copies);
    copies.add(copy);
    return copy;
  }
  if (isJsonObject(value) && typeof key === 'string') {
    const copy = copies.has(value) ? value : { ...value };
    copies.add(copy);
    if (step.op === 'remove' && depth === step.path.length - 1) delete copy[key];
    else setField(copy, key, applyStep(value[key], step, depth + 1, copies));
    return copy;
  }
  throw createMisfitError(step);
}

function applyAtTarget(value: JsonValue | undefined, step: Patch[number]): JsonValue {
  if (step.op === 'set') return step.value;
  if (step.op === 'append' && typeof value === 'string') return value + step.text;
  if (step.op === 'extend' && Array.isArray(value) && Array.isArray(step.value))
    return [...value, ...step.value];
  if (step.op === 'extend' && isJsonObject(value) && isJsonObject(step.value))
    return { ...value, ...step.value };
  throw createMisfitError(step);
}

function createMisfitError(step: Patch[number]): Error {
  return new Error(`The patch doesn’t fit the state at ${step.path.join('.')}`);
}
