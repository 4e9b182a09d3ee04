/** Makes a JSON value that fits a JSON Schema, with words and numbers of the user where they fit. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import {
  arrayFrom,
  type Hints,
  numberFrom,
  objectFrom,
  type SchemaWalk,
  textFrom,
} from './schema-values.ts';

/** Beyond this only what is required is made, so that a schema that refers to itself ends. */
const MAX_DEPTH = 24;

export function jsonFromSchema(schema: JsonValue, hints: Hints): JsonValue {
  const root = isJsonObject(schema) ? schema : {};
  return makeValue(
    root,
    root,
    { words: [...hints.words], numbers: [...hints.numbers] },
    0,
    'value',
  );
}

function makeValue(
  schema: JsonValue | undefined,
  root: JsonObject,
  hints: Hints,
  depth: number,
  name: string,
): JsonValue {
  if (depth > MAX_DEPTH) return null;
  const plain = resolve(schema, root);
  if (plain.const !== undefined) return plain.const;
  if (Array.isArray(plain.enum)) return plain.enum[0] ?? null;
  const walk: SchemaWalk = {
    root,
    hints,
    depth,
    name,
    make: (inner, innerName) => makeValue(inner, root, hints, depth + 1, innerName),
  };
  switch (getType(plain)) {
    case 'object':
      return objectFrom(plain, walk);
    case 'array':
      return arrayFrom(plain, walk);
    case 'integer':
      return numberFrom(plain, walk, true);
    case 'number':
      return numberFrom(plain, walk, false);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textFrom(plain, walk);
  }
}

/** Follows local references and takes the first alternative; `allOf` is merged. */
function resolve(schema: JsonValue | undefined, root: JsonObject, hops = 0): JsonObject {
  if (!isJsonObject(schema) || hops > MAX_DEPTH) return {};
  const { $ref: reference, anyOf, oneOf, allOf, ...own } = schema;
  let merged: JsonObject = own;
  if (typeof reference === 'string') {
    merged = merge(resolve(lookUp(reference, root), root, hops + 1), merged);
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    merged = merge(merged, resolve(part, root, hops + 1));
  }
  for (const choices of [anyOf, oneOf]) {
    if (Array.isArray(choices)) merged = merge(merged, resolve(choices[0], root, hops + 1));
  }
  return merged;
}

/** `#`, `#/$defs/name`: JSON pointers into the schema itself; nothing is fetched. */
function lookUp(reference: string, root: JsonObject): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  const keys = reference.slice(1).split('/').slice(1);
  return keys.reduce<JsonValue | undefined>((at, key) => {
    const plainKey = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) return at[Number(plainKey)];
    return isJsonObject(at) && Object.hasOwn(at, plainKey) ? at[plainKey] : undefined;
  }, root);
}

function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second };
  if (isJsonObject(first.properties) && isJsonObject(second.properties)) {
    merged.properties = { ...first.properties, ...second.properties };
  }
  if (Array.isArray(first.required) && Array.isArray(second.required)) {
    merged.required = [...new Set([...first.required, ...second.required])];
  }
  return merged;
}

function getType(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return String(type.find((word) => word !== 'null') ?? 'null');
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.minimum !== undefined || schema.maximum !== undefined) return 'number';
  return 'string';
}
