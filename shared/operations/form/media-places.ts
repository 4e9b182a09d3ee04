/** Replaces media references in a request, but only in fields that the schema marks. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';

export type MediaForm = 'base64' | 'data-url';

/**
 * Marks a string field where a `media:<id>` is replaced with bytes:
 * `z.string().meta(markMediaField(…))`.
 */
export function markMediaField(media: MediaForm): { media: MediaForm } {
  return { media };
}

/** Accepts only a `media:<id>` reference, because the item is streamed as a separate file. */
export function createMediaReferenceSchema(message: string) {
  return z.string(message).refine((text) => findReferencedMedia(text) !== null, message);
}

/** Returns the replacement for a reference to media item `id`. */
export type ReplaceMedia = (id: string, form: MediaForm) => string;

/** Finds marked fields; for a union, uses the first alternative that matches the value. */
export function replaceMedia(
  schema: z.ZodObject,
  request: JsonObject,
  replace: ReplaceMedia,
): JsonObject {
  return mapMediaFields(schema, request, (text, form) => {
    const id = findReferencedMedia(text);
    return id === null ? text : replace(id, form);
  });
}

type MapText = (text: string, form: MediaForm) => string;

/** Replaces the text of marked fields, whether it is a reference, a URL or the file itself. */
export function mapMediaFields(schema: z.ZodObject, request: JsonObject, map: MapText): JsonObject {
  const known = walks.get(schema) ?? walkObject(schema) ?? keepUnchanged;
  walks.set(schema, known);
  return known(request, map);
}

type Walk<Value extends JsonValue = JsonValue> = (value: Value, map: MapText) => Value;

const walks = new WeakMap<z.ZodObject, Walk<JsonObject>>();
const keepUnchanged: Walk<JsonObject> = (request) => request;
const markSchema = z.object({ media: z.enum(['base64', 'data-url'] satisfies MediaForm[]) });

function getWalk(schema: z.core.$ZodType): Walk | null {
  const mark = markSchema.safeParse(z.globalRegistry.get(schema));
  if (mark.success) {
    return (value, map) => (typeof value === 'string' ? map(value, mark.data.media) : value);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return getWalk(schema.unwrap());
  }
  if (schema instanceof z.ZodObject) {
    const walk = walkObject(schema);
    return walk && ((value, map) => (isJsonObject(value) ? walk(value, map) : value));
  }
  if (schema instanceof z.ZodArray) {
    const walk = getWalk(schema.element);
    return (
      walk &&
      ((value, map) => (Array.isArray(value) ? value.map((item) => walk(item, map)) : value))
    );
  }
  if (schema instanceof z.ZodUnion) return walkUnion(schema.options);
  return null;
}

function walkObject({ shape }: z.ZodObject): Walk<JsonObject> | null {
  const marked = Object.entries(shape).flatMap(([field, schema]) => {
    const walk = getWalk(schema);
    return walk === null ? [] : [[field, walk] as const];
  });
  if (marked.length === 0) return null;
  return (object, map) => {
    const copy = { ...object };
    for (const [field, walk] of marked) {
      const value = object[field];
      if (value !== undefined) copy[field] = walk(value, map);
    }
    return copy;
  };
}

function walkUnion(alternatives: readonly z.core.$ZodType[]): Walk | null {
  const choices = alternatives.map((schema) => ({ schema, walk: getWalk(schema) }));
  if (choices.every(({ walk }) => walk === null)) return null;
  return (value, map) => {
    const choice = choices.find(({ schema }) => z.safeParse(schema, value).success);
    return choice?.walk?.(value, map) ?? value;
  };
}

/** Marks a file in extra body fields: `{"$file": "media:<id>"}`, or with `"as": "base64"`. */
const markedFileSchema = z.strictObject({
  $file: z.string(),
  as: z.enum(['base64', 'data-url'] satisfies MediaForm[]).default('data-url'),
});

/** Replaces marked files at any depth; text that only looks like a reference stays as it is. */
function replaceRefsInValue(value: JsonValue, replace: ReplaceMedia): JsonValue {
  if (Array.isArray(value)) return value.map((item) => replaceRefsInValue(item, replace));
  if (!isJsonObject(value)) return value;
  const { data } = markedFileSchema.safeParse(value);
  const id = data === undefined ? null : findReferencedMedia(data.$file);
  return data !== undefined && id !== null ? replace(id, data.as) : replaceFileRefs(value, replace);
}

export function replaceFileRefs(object: JsonObject, replace: ReplaceMedia): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, item]) => [name, replaceRefsInValue(item, replace)]),
  );
}
