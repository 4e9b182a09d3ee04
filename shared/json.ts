/** JSON values: types, guards and conversions, without zod. */
import { ExactNumber, type JsonNumber } from './exact-number.ts';

export type JsonValue =
  | string
  | JsonNumber
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

/** Equal by value, whatever the order of their fields; a field that is undefined counts as missing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  // A list, an object and a number of many digits differ in this, even with the same fields.
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const ones = new Map<string, unknown>(Object.entries(one));
  const others = new Map<string, unknown>(Object.entries(other));
  return [...ones.keys(), ...others.keys()].every((name) =>
    isSameJson(ones.get(name), others.get(name)),
  );
}

/** Whether a text begins as an object or a list: “[Music]” and “{laughs}” are words. */
export function startsAsJson(text: string): boolean {
  return /^[\uFEFF\0\s]*(?:\{\s*["}]|\[\s*["{[\]])/.test(text);
}

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
