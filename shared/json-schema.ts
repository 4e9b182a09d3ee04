/** Defines zod schemas for any JSON value. */
import { z } from 'zod';
import { ExactNumber } from './exact-number.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Checks large values in one pass without copying. */
export const jsonValueSchema: z.ZodType<JsonValue, JsonValue> = z.custom<JsonValue>(isJsonValue);
export const jsonObjectSchema: z.ZodType<JsonObject, JsonObject> = z.record(
  z.string(),
  jsonValueSchema,
);

function isJsonValue(value: unknown): value is JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null || value instanceof ExactNumber) return true;
      if (Array.isArray(value)) return value.every(isJsonValue);
      return isPlain(value) && Object.values(value).every(isJsonValue);
    default:
      return false;
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
