/** Splits a large update of a run into messages that don't take long to encode or to read. */
import type { RunUpdate, RunUpdateMessage } from './contract/runs.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { applyPatch, diff, type Patch, type PatchPath } from './patch.ts';
import type { RunView } from './run-view.ts';

/** The characters of one message. Encoding them takes a few milliseconds. */
const MAX_WEIGHT = 256 * 1024;
/** Checking and encoding one value takes as long as encoding this many characters. */
const VALUE_WEIGHT = 80;

/** Yields the messages to send in this order: one for most updates. */
export function* splitUpdate(
  update: RunUpdate,
  maxWeight = MAX_WEIGHT,
): Generator<RunUpdateMessage, void> {
  const emptied: object = update.type === 'snapshot' ? { ...update.view, state: {} } : {};
  const whole = update.type === 'snapshot' ? diff<object>(emptied, update.view) : update.patch;
  const patches = splitPatch(whole, maxWeight);
  const patch = patches.next().value ?? [];
  for (const rest of patches) yield { type: 'part', patch: rest };
  if (update.type === 'update') yield { ...update, patch };
  else yield { ...update, view: applyPatch(emptied, patch) as RunView };
}

/** Joins parts with the update that follows them; drops parts that none follows. */
export async function* joinUpdates(
  messages: AsyncIterable<RunUpdateMessage>,
): AsyncGenerator<RunUpdate, void> {
  let parts: Patch = [];
  for await (const message of messages) {
    if (message.type === 'part') parts.push(...message.patch);
    else {
      const rest = parts;
      parts = [];
      if (rest.length === 0) yield message;
      else if (message.type === 'update') yield { ...message, patch: [...message.patch, ...rest] };
      else yield { ...message, view: applyPatch<RunView>(message.view, rest) };
    }
  }
}

/** Yields patches of about `maxWeight`; applied in this order, they have the effect of `patch`. */
function* splitPatch(patch: Patch, maxWeight: number): Generator<Patch, void> {
  let current: Patch = [];
  let weight = 0;
  for (const large of patch) {
    for (const [step, added] of splitStep(large, maxWeight)) {
      if (weight + added > maxWeight && current.length > 0) {
        yield current;
        current = [];
        weight = 0;
      }
      current.push(step);
      weight += added;
    }
  }
  if (current.length > 0) yield current;
}

/** A longer path isn't repeated: as a share of `maxWeight`. */
const MAX_PATH_SHARE = 1 / 16;

type WeighedStep = [step: Patch[number], weight: number];

/** Sets a large value to an empty one and then fills it, unless the path is too long to repeat. */
function* splitStep(step: Patch[number], maxWeight: number): Generator<WeighedStep, void> {
  const { path } = step;
  const pathWeight = weighPath(path);
  const weight = pathWeight + weigh(getContent(step), maxWeight);
  const isRepeatable = pathWeight <= maxWeight * MAX_PATH_SHARE;
  if (weight <= maxWeight || !isRepeatable || step.op === 'remove') yield [step, weight];
  else if (step.op === 'append') yield* appendPieces(path, step.text, maxWeight);
  else if (typeof step.value === 'string') {
    yield [{ op: 'set', path, value: '' }, pathWeight];
    yield* appendPieces(path, step.value, maxWeight);
  } else if (Array.isArray(step.value) || isJsonObject(step.value)) {
    if (step.op === 'set') {
      yield [{ op: 'set', path, value: Array.isArray(step.value) ? [] : {} }, pathWeight];
    }
    yield* fill(path, step.value, maxWeight);
  } else yield [step, weight];
}

function getContent(step: Patch[number]): JsonValue {
  if (step.op === 'remove') return null;
  return step.op === 'append' ? step.text : step.value;
}

/** Adds small items together, and splits large ones. */
function* fill(
  path: PatchPath,
  value: JsonValue[] | JsonObject,
  maxWeight: number,
): Generator<WeighedStep, void> {
  const isList = Array.isArray(value);
  let items: [string | number, JsonValue][] = [];
  let weight = weighPath(path);
  function* flush(): Generator<WeighedStep, void> {
    const added = isList ? items.map(([, item]) => item) : Object.fromEntries(items);
    if (items.length > 0) yield [{ op: 'extend', path, value: added }, weight];
    items = [];
    weight = weighPath(path);
  }
  for (const [name, item] of isList ? value.entries() : Object.entries(value)) {
    const added = weighPath([name]) + weigh(item, maxWeight);
    if (weight + added > maxWeight) yield* flush();
    if (added > maxWeight) {
      yield* splitStep({ op: 'set', path: [...path, name], value: item }, maxWeight);
    } else {
      items.push([name, item]);
      weight += added;
    }
  }
  yield* flush();
}

function* appendPieces(path: PatchPath, text: string, size: number): Generator<WeighedStep, void> {
  for (let at = 0; at < text.length; at += size)
    yield [{ op: 'append', path, text: text.slice(at, at + size) }, size];
}

function weighPath(path: PatchPath): number {
  return path.reduce<number>(
    (sum, name) => sum + VALUE_WEIGHT + (typeof name === 'string' ? name.length : 0),
    0,
  );
}

/** Stops counting above `enough`. */
function weigh(value: JsonValue, enough: number): number {
  if (typeof value === 'string') return VALUE_WEIGHT + value.length;
  if (!Array.isArray(value) && !isJsonObject(value)) return VALUE_WEIGHT;
  let weight = VALUE_WEIGHT;
  for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (weight > enough) break;
    if (typeof name === 'string') weight += name.length;
    weight += weigh(item, enough - weight);
  }
  return weight;
}
