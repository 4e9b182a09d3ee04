/** Defines JSON types, guards and conversions without zod. */
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

/** Returns an empty string for any other type. */
export function getString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Sets an own field even if its name is `__proto__`. */
export function setField(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    const writable = { writable: true, enumerable: true, configurable: true };
    Object.defineProperty(object, name, { value, ...writable });
  } else object[name] = value;
}

/** Compares deeply, ignoring field order and treating undefined fields as missing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  // Compare prototypes, because a list, an object and an `ExactNumber` can have the same fields.
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const ones = new Map<string, unknown>(Object.entries(one));
  const others = new Map<string, unknown>(Object.entries(other));
  return [...ones.keys(), ...others.keys()].every((name) =>
    isSameJson(ones.get(name), others.get(name)),
  );
}

/** Returns one text for all values that `isSameJson` considers equal. */
export function getJsonKey(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(getJsonKey).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${getJsonKey(item)}`,
  );
  return `{${fields.sort().join()}}`;
}

/** A bracket alone isn't enough, because transcripts contain “[Music]” and “{laughs}”. */
export function startsAsJson(text: string): boolean {
  return /^[\uFEFF\0\s]*(?:\{\s*["}]|\[\s*["{[\]])/.test(text);
}

/** Omits fields that JSON can't represent; in a list, such values become null. */
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

/** Uses `fromEntries`, which creates an own property even for `__proto__`. */
function convertObject(value: object): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const json = convert(item);
      return json === undefined ? [] : [[key, json]];
    }),
  );
}
