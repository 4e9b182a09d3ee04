/** JSON as it travels on the wire and over the contract. */
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
