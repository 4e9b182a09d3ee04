/** Sends a large update of a run as several messages, so that none takes long to encode or to read. */
import type { RunUpdate, RunUpdateMessage } from './contract/runs.ts';
import { isJsonObject, type JsonValue } from './json.ts';
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

/** Yields patches of about `maxWeight` that do the same if applied in this order. */
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

type WeighedStep = [step: Patch[number], weight: number];

/** Sets a large value to an empty one and then fills it. */
function* splitStep(step: Patch[number], maxWeight: number): Generator<WeighedStep, void> {
  const { path } = step;
  const weight = weighStep(step, maxWeight);
  if (weight <= maxWeight || step.op === 'remove') yield [step, weight];
  else if (step.op === 'append') yield* appendPieces(path, step.text, maxWeight);
  else if (typeof step.value === 'string') {
    yield [{ op: 'set', path, value: '' }, VALUE_WEIGHT];
    yield* appendPieces(path, step.value, maxWeight);
  } else if (Array.isArray(step.value)) {
    yield [{ op: 'set', path, value: [] }, VALUE_WEIGHT];
    for (const [index, value] of step.value.entries())
      yield* splitStep({ op: 'set', path: [...path, index], value }, maxWeight);
  } else if (isJsonObject(step.value)) {
    yield [{ op: 'set', path, value: {} }, VALUE_WEIGHT];
    for (const [name, value] of Object.entries(step.value))
      yield* splitStep({ op: 'set', path: [...path, name], value }, maxWeight);
  } else yield [step, weight];
}

function* appendPieces(path: PatchPath, text: string, size: number): Generator<WeighedStep, void> {
  for (let at = 0; at < text.length; at += size)
    yield [{ op: 'append', path, text: text.slice(at, at + size) }, size];
}

function weighStep(step: Patch[number], enough: number): number {
  const path = step.path.length * VALUE_WEIGHT;
  if (step.op === 'remove') return path;
  return path + weigh(step.op === 'append' ? step.text : step.value, enough);
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
