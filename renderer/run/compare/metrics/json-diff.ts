/**
 * What differs between two JSON values, by path. Read both with `parseJson` of shared/parse-json.ts: long numbers are
 * compared by all of their digits, and 1.0 is 1. The order of fields says nothing; the items of a list are aligned
 * first, so that one item more is one difference.
 */
import { compareNumbers } from '../../../../shared/compare-numbers.ts';
import { isJsonNumber } from '../../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { PatchPath } from '../../../../shared/patch.ts';
import { editKinds, editScript } from './edit-script.ts';

/** Paths lead from the root; items before it may give an item another index in the other value. */
export type JsonDifference =
  | { kind: 'removed'; path: PatchPath; before: JsonValue }
  | { kind: 'added'; path: PatchPath; after: JsonValue }
  | { kind: 'changed'; path: PatchPath; otherPath: PatchPath; before: JsonValue; after: JsonValue };

/** In the order of the first value, with what was added to an object behind its other fields; empty if equal. */
export function diffJson(before: JsonValue, after: JsonValue): JsonDifference[] {
  const differences: JsonDifference[] = [];
  compare(before, after, [], [], differences);
  return differences;
}

function compare(
  before: JsonValue,
  after: JsonValue,
  path: PatchPath,
  otherPath: PatchPath,
  differences: JsonDifference[],
): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, otherPath, differences);
    return;
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const [name, value] of Object.entries(before)) {
      const other = after[name];
      const here = [...path, name];
      if (other === undefined || !Object.hasOwn(after, name)) {
        differences.push({ kind: 'removed', path: here, before: value });
      } else compare(value, other, here, [...otherPath, name], differences);
    }
    for (const [name, value] of Object.entries(after)) {
      if (Object.hasOwn(before, name)) continue;
      differences.push({ kind: 'added', path: [...otherPath, name], after: value });
    }
    return;
  }
  if (!isSameScalar(before, after)) {
    differences.push({ kind: 'changed', path, otherPath, before, after });
  }
}

function isSameScalar(before: JsonValue, after: JsonValue): boolean {
  if (isJsonNumber(before) && isJsonNumber(after)) return compareNumbers(before, after) === 0;
  return before === after;
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: PatchPath,
  otherPath: PatchPath,
  differences: JsonDifference[],
): void {
  const steps = pairInOrder(editScript(...numberItems(before, after)));
  let row = 0;
  let column = 0;
  for (const step of steps) {
    const one = step === editKinds.inserted ? undefined : before[row];
    const other = step === editKinds.deleted ? undefined : after[column];
    const [here, there] = [
      [...path, row],
      [...otherPath, column],
    ];
    if (one !== undefined) row += 1;
    if (other !== undefined) column += 1;
    if (one === undefined) {
      if (other !== undefined) differences.push({ kind: 'added', path: there, after: other });
    } else if (other === undefined) {
      differences.push({ kind: 'removed', path: here, before: one });
    } else if (step === editKinds.substituted) compare(one, other, here, there, differences);
  }
}

/** Between two equal items the first changed ones belong together, and those that are left are added or removed. */
function pairInOrder(steps: Uint8Array): Uint8Array {
  let start = 0;
  for (const [at, step] of steps.entries()) {
    if (step !== editKinds.same) continue;
    steps.subarray(start, at).sort();
    start = at + 1;
  }
  // `substituted` is the lowest of the kinds that are not the same.
  steps.subarray(start).sort();
  return steps;
}

/** The same number for equal items. */
function numberItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const getNumber = (item: JsonValue) => {
    const spelling = getSpelling(item);
    const number = numbers.get(spelling) ?? numbers.size;
    numbers.set(spelling, number);
    return number;
  };
  return [Int32Array.from(before, getNumber), Int32Array.from(after, getNumber)];
}

/** Fields sorted by name, so that their order says nothing. */
function getSpelling(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(getSpelling).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}:${getSpelling(field)}`,
  );
  return `{${fields.sort().join()}}`;
}

export interface JsonChange {
  kind: JsonDifference['kind'];
  /** `choices[0].text`; `(root)` for all of it. Two with an arrow where an item has another index. */
  path: string;
  /** JSON, indented by two spaces; null if only the other text has it. */
  before: string | null;
  after: string | null;
}

export function printJsonDifference(difference: JsonDifference): JsonChange {
  const path = printPath(difference.path);
  switch (difference.kind) {
    case 'removed':
      return { kind: 'removed', path, before: print(difference.before), after: null };
    case 'added':
      return { kind: 'added', path, before: null, after: print(difference.after) };
    case 'changed': {
      const otherPath = printPath(difference.otherPath);
      return {
        kind: 'changed',
        path: path === otherPath ? path : `${path} → ${otherPath}`,
        before: print(difference.before),
        after: print(difference.after),
      };
    }
  }
}

function print(value: JsonValue): string {
  return JSON.stringify(value, null, 2);
}

function printPath(path: PatchPath): string {
  if (path.length === 0) return '(root)';
  return path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[A-Za-z_$][\w$-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('')
    .replace(/^\./, '');
}
