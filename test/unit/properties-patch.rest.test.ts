import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { applyPatch, diff } from '../../shared/patch.ts';
import { inputs, jsonValue } from '../fixtures/property.ts';

/** Generates two states: unrelated, or with one part replaced, added or removed. */
const changed = fc
  .tuple(jsonValue, jsonValue, fc.infiniteStream(fc.nat()))
  .map(([before, other, choices]): [JsonValue, JsonValue] => {
    const next = () => choices.next().value ?? 0;
    return [before, change(before, other, next)];
  });

function change(value: JsonValue, other: JsonValue, next: () => number): JsonValue {
  if (typeof value === 'string') return next() % 2 === 0 ? `${value}b` : other;
  if (Array.isArray(value) && value.length > 0) {
    const at = next() % value.length;
    if (next() % 4 === 0) return [...value, other];
    return value.map((item, index) => (index === at ? change(item, other, next) : item));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return other;
  const fields = Object.entries(value);
  const [name] = fields[next() % Math.max(1, fields.length)] ?? [];
  if (name === undefined || next() % 4 === 0) return other;
  const removes = next() % 4 === 0;
  return Object.fromEntries(
    fields.flatMap(([key, item]): [string, JsonValue][] => {
      if (key !== name) return [[key, item]];
      return removes ? [] : [[key, change(item, other, next)]];
    }),
  );
}

it('restores any state from its patch, even after JSON encoding', () => {
  fc.assert(
    fc.property(changed, ([before, after]) => {
      const patch = diff(before, after);
      const printed = JSON.stringify(before);
      expect(JSON.stringify(sorted(applyPatch(before, patch)))).toBe(JSON.stringify(sorted(after)));
      const carried = parseJson(JSON.stringify(patch)) as typeof patch | undefined;
      expect(JSON.stringify(sorted(applyPatch(before, carried ?? [])))).toBe(
        JSON.stringify(sorted(after)),
      );
      expect(JSON.stringify(before)).toBe(printed);
    }),
    inputs(3000),
  );
});

it('makes an empty patch for equal states', () => {
  fc.assert(
    fc.property(jsonValue, (state) => {
      expect(diff(state, parseJson(JSON.stringify(state)) ?? null)).toEqual([]);
    }),
    inputs(500),
  );
});

/** Sorts the fields, because a patch doesn't keep their order. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]): [string, JsonValue] => [name, sorted(item)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
