/** Compares JSON values by path, with exact numbers, any field order and aligned list items. */
import { compareNumbers } from '../../../../shared/compare-numbers.ts';
import { isJsonNumber } from '../../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { PatchPath } from '../../../../shared/patch.ts';
import { editKinds, editScript } from './edit-script.ts';

/** Paths may differ, because insertions shift list indexes. */
export type JsonDifference =
  | { kind: 'removed'; path: PatchPath; before: JsonValue }
  | { kind: 'added'; path: PatchPath; after: JsonValue }
  | { kind: 'changed'; path: PatchPath; otherPath: PatchPath; before: JsonValue; after: JsonValue };

/** Returns an empty list if the values are equal. */
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

/** Pairs changed items in order between equal ones; the rest are additions or removals. */
function pairInOrder(steps: Uint8Array): Uint8Array {
  let start = 0;
  for (const [at, step] of steps.entries()) {
    if (step !== editKinds.same) continue;
    steps.subarray(start, at).sort();
    start = at + 1;
  }
  // Sorting works, because `substituted` compares as less than `deleted` and `inserted`.
  steps.subarray(start).sort();
  return steps;
}

function numberItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const getNumber = (item: JsonValue) => {
    const serialized = serializeSorted(item);
    const number = numbers.get(serialized) ?? numbers.size;
    numbers.set(serialized, number);
    return number;
  };
  return [Int32Array.from(before, getNumber), Int32Array.from(after, getNumber)];
}

/** Serializes a value with fields sorted by name. */
function serializeSorted(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(serializeSorted).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}:${serializeSorted(field)}`,
  );
  return `{${fields.sort().join()}}`;
}

export interface JsonChange {
  kind: JsonDifference['kind'];
  /**
   * A path such as `choices[0].text` or `(root)`, or two paths with an arrow if the index differs.
   */
  path: string;
  /** Indented JSON; null if only the other text has the value. */
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
