/** Renames request fields to the names that a gateway expects. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { RunInput } from '../run.ts';

type WireNames = RunInput['wireNames'];

/** A field that isn't renamed keeps its name; `voice.id` puts it into an object. */
export function renameFields(request: JsonObject, wireNames: WireNames): JsonObject {
  return Object.entries(request).reduce<JsonObject>(
    (body, [field, value]) => setAt(body, getWireName(field, wireNames).split('.'), value),
    {},
  );
}

export function getAt(
  body: JsonObject,
  [name, ...inner]: readonly string[],
): JsonValue | undefined {
  if (name === undefined) return body;
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (inner.length === 0) return value;
  return isJsonObject(value) ? getAt(value, inner) : undefined;
}

export function setAt(body: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [name, ...inner] = path;
  if (name === undefined) return body;
  const outer = body[name];
  const within = isJsonObject(outer) ? outer : {};
  return { ...body, [name]: inner.length === 0 ? value : setAt(within, inner, value) };
}

export function getWireName(field: string, wireNames: WireNames): string {
  return (Object.hasOwn(wireNames, field) ? wireNames[field] : undefined) ?? field;
}
