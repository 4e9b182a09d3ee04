/** Proves to the compiler what a value holds: its JSON copy. */
import { ExactNumber } from './exact-number.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Fields that JSON cannot hold (undefined, functions, …) are left out, or null within a list. */
export function toJson(value: unknown): JsonValue {
  return convert(value) ?? null;
}

function convert(value: unknown): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      if (value === null || value instanceof ExactNumber) return value;
      return Array.isArray(value) ? value.map(toJson) : convertObject(value);
    default:
      return undefined;
  }
}

/** `fromEntries` makes own fields of every name, `__proto__` too. */
function convertObject(value: object): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const json = convert(item);
      return json === undefined ? [] : [[key, json]];
    }),
  );
}
