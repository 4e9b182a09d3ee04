/** JSON as it travels on the wire and over the contract. */
import { z } from 'zod';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Checked with `z.json()`; the annotation keeps inferred types short. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.json();
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
