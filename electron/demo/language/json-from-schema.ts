/** Generates a value for a JSON Schema, using the user's words and numbers where possible. */

import { getNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** Each of the user's words and numbers is used only once. */
export interface Hints {
  words: string[];
  numbers: number[];
}

export interface SchemaWalk {
  root: JsonObject;
  hints: Hints;
  depth: number;
  name: string;
  make: (schema: JsonValue | undefined, name: string) => JsonValue;
}

/** Stops recursion in a schema that refers to itself through required properties. */
const MAX_DEPTH = 24;

export function createJsonFromSchema(schema: JsonValue, hints: Hints): JsonValue {
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
      return createObject(plain, walk);
    case 'array':
      return createArray(plain, walk);
    case 'integer':
      return createNumber(plain, walk, true);
    case 'number':
      return createNumber(plain, walk, false);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return createText(plain, walk);
  }
}

/** Resolves local references, merges `allOf` and uses the first alternative. */
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

/** Resolves only JSON Pointers within the schema and never fetches anything. */
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

/** Omitting optional properties below this depth stops recursion in a self-referencing schema. */
const OPTIONAL_DEPTH = 4;

export function createObject(schema: JsonObject, walk: SchemaWalk): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const optional = walk.depth < OPTIONAL_DEPTH ? Object.keys(properties) : [];
  const names = [...new Set([...required, ...optional])];
  const max = limit(schema.maxProperties) ?? Number.POSITIVE_INFINITY;
  const kept = names.filter((name, index) => index < max || required.includes(name));
  const made: [string, JsonValue][] = kept.map((name) => [
    name,
    (names.includes('ingredients') ? getRecipePart(properties[name], name) : null) ??
      walk.make(Object.hasOwn(properties, name) ? properties[name] : undefined, name),
  ]);
  const fewest = limit(schema.minProperties) ?? 0;
  for (let index = 1; made.length < fewest; index += 1) {
    made.push([`key${index}`, walk.make(schema.additionalProperties, `key${index}`)]);
  }
  return Object.fromEntries(made);
}

/** Makes the answer to the JSON example read like a real one. */
const RECIPE: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['title', 'Thin pancakes'],
  ['minutes', 25],
  [
    'ingredients',
    ['200 g flour', '2 eggs', '350 ml milk', '1 pinch of salt', 'Butter for the pan'],
  ],
  [
    'steps',
    [
      'Whisk the flour, eggs, milk and salt until smooth.',
      'Let the batter rest for 10 minutes.',
      'Melt a little butter in a pan over medium heat.',
      'Pour in a thin layer and turn it when the edges lift.',
      'Serve warm with lemon and sugar.',
    ],
  ],
]);

/** Returns null if the schema has constraints that the recipe might violate. */
function getRecipePart(schema: JsonValue | undefined, name: string): JsonValue | null {
  const part = RECIPE.get(name) ?? null;
  const plain = Array.isArray(part) ? listOfText : { type: jsonType(part) };
  return isSameJson(schema, plain) ? part : null;
}

const listOfText = { type: 'array', items: { type: 'string' } };
const jsonType = (value: JsonValue) => (typeof value === 'number' ? 'integer' : 'string');

export function createArray(schema: JsonObject, walk: SchemaWalk): JsonValue[] {
  const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const fewest = limit(schema.minItems) ?? 0;
  const maxItems = limit(schema.maxItems) ?? Number.POSITIVE_INFINITY;
  const wanted = walk.depth < OPTIONAL_DEPTH ? Math.max(1, fixed.length) : 0;
  const length = Math.min(Math.max(fewest, wanted), maxItems, 1000);
  const made = Array.from({ length }, (_, index) =>
    walk.make(fixed[index] ?? schema.items, walk.name),
  );
  return schema.uniqueItems === true ? unique(made, schema.items) : made;
}

export function createNumber(schema: JsonObject, walk: SchemaWalk, whole: boolean): number {
  const step = limit(schema.multipleOf) ?? (whole ? 1 : null);
  const above = limit(schema.exclusiveMinimum);
  const below = limit(schema.exclusiveMaximum);
  const nudge = step ?? 0.5;
  const low = Math.max(limit(schema.minimum) ?? -Infinity, above === null ? -Infinity : above);
  const high = Math.min(limit(schema.maximum) ?? Infinity, below === null ? Infinity : below);
  const fits = (value: number) =>
    value >= low &&
    value <= high &&
    value !== above &&
    value !== below &&
    (step === null || Number.isInteger(value / step));
  const hint = walk.hints.numbers.find(fits);
  if (hint !== undefined) {
    walk.hints.numbers.splice(walk.hints.numbers.indexOf(hint), 1);
    return hint;
  }
  const start = Number.isFinite(low) ? low : Math.min(1, high);
  const stepped = step === null ? start : Math.ceil(start / step) * step;
  const downward = step === null ? start : Math.floor(start / step) * step;
  const middle = (Math.max(low, -1e15) + Math.min(high, 1e15)) / 2;
  return [1, stepped, stepped + nudge, downward, downward - nudge, middle].find(fits) ?? start;
}

const FORMATS: Record<string, string> = {
  date: '2026-01-31',
  time: '09:30:00Z',
  'date-time': '2026-01-31T09:30:00Z',
  duration: 'PT15M',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

export function createText(schema: JsonObject, walk: SchemaWalk): string {
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined;
  if (format !== undefined) return format;
  const fewest = limit(schema.minLength) ?? 0;
  const maxLength = limit(schema.maxLength) ?? Number.POSITIVE_INFINITY;
  const text = walk.hints.words.shift() ?? `sample ${walk.name}`;
  const characters = [...text.padEnd(Math.min(fewest, 10_000), '.')];
  return characters.length <= maxLength
    ? characters.join('')
    : characters.slice(0, maxLength).join('');
}

function limit(value: JsonValue | undefined): number | null {
  return getNumber(value);
}

/** Makes items distinct by cycling through enum values, counting up numbers and numbering text. */
function unique(items: JsonValue[], schema: JsonValue | undefined): JsonValue[] {
  const words = isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum : null;
  return items.map((item, index) => {
    if (index === 0) return item;
    if (words !== null) return words[index] ?? item;
    if (typeof item === 'number') return item + index;
    return typeof item === 'string' ? `${item} ${index + 1}` : item;
  });
}
