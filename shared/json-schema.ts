/** Schemas of any JSON; apart from json.ts, so that the page can use that without a schema library. */
import { z } from 'zod';
import type { JsonObject, JsonValue } from './json.ts';

/** Checked with `z.json()`; the annotation keeps inferred types short. */
export const jsonValueSchema: z.ZodType<JsonValue, JsonValue> = z.json();
export const jsonObjectSchema: z.ZodType<JsonObject, JsonObject> = z.record(z.string(), z.json());
