/** Validates values against the JSON Schemas of requests. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** Their contents are values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples']);
const MAPS = new Set(['properties', '$defs', 'definitions']);

/**
 * Returns the first problem of a value, or null if it has none; `undefined` if the schema can't be
 * checked, such as one with a pattern or with many references, which could take forever.
 */
export function findSchemaProblem(
  schema: JsonObject,
  value: JsonValue,
): { path: string; message: string } | null | undefined {
  try {
    const checked = omitFormats(schema);
    if (checked === null || isTooBranched(checked)) return undefined;
    const { error } = z.fromJSONSchema(checked).safeParse(value);
    // A number beyond 2^53 is valid in JSON Schema, but not in zod.
    const issue = error?.issues.find(({ code }) => code !== 'too_big' && code !== 'too_small');
    const limit = error?.issues.find((each) => !('format' in each && each.format === 'safeint'));
    const first = issue ?? limit;
    if (first === undefined) return null;
    return { path: first.path.map(String).join('.'), message: first.message };
  } catch {
    return undefined;
  }
}

const MAX_PARTS = 20_000;
const ALTERNATIVES = new Set(['anyOf', 'oneOf', 'allOf']);

/**
 * Returns true if checking a value could take forever: if the schema has too many parts with each
 * reference resolved, or if several alternatives refer back, which doubles the work per level.
 */
function isTooBranched(root: JsonObject): boolean {
  let left = MAX_PARTS;
  function refersBack(part: JsonValue, outer: readonly JsonValue[]): boolean {
    left -= 1;
    if (left < 0 || typeof part !== 'object' || part === null) return false;
    const target = isJsonObject(part) ? findTarget(part.$ref, root) : undefined;
    if (target !== undefined) {
      return outer.includes(target) || refersBack(target, [...outer, target]);
    }
    let [alternatives, others] = [0, 0];
    for (const [name, inner] of Object.entries(part)) {
      const parts = ALTERNATIVES.has(name) && Array.isArray(inner) ? inner : [inner];
      const back = parts.filter((each) => refersBack(each, outer)).length;
      if (parts === inner) alternatives += back;
      else others = Math.max(others, back);
    }
    if (alternatives + others > 1) left = -1;
    return alternatives + others > 0;
  }
  refersBack(root, [root]);
  return left < 0;
}

function findTarget(reference: JsonValue | undefined, root: JsonObject): JsonValue | undefined {
  if (reference === '#') return root;
  const [, list = '', name = ''] =
    (typeof reference === 'string' && /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference)) || [];
  const known = root[list];
  return isJsonObject(known) ? known[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
}

/**
 * Returns null if the schema has patterns; JSON Schema's `format` is only a note. The names of a
 * `map`, such as those of properties, aren't keywords.
 */
function omitFormats(schema: JsonObject, isMap = false): JsonObject | null {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(schema)) {
    const keyword = isMap ? '' : name;
    if (keyword === 'format' && typeof value === 'string') continue;
    if (keyword === 'pattern' && typeof value === 'string') return null;
    if (keyword === 'patternProperties' && isJsonObject(value)) return null;
    const inner = VALUES.has(keyword) ? value : omitInner(value, MAPS.has(keyword));
    if (inner === null && value !== null) return null;
    kept[name] = inner;
  }
  return isMap ? kept : describeRequired(kept);
}

/** Adds the required properties that the schema doesn't describe, which zod wouldn't require. */
function describeRequired(schema: JsonObject): JsonObject {
  const { required, properties = {}, additionalProperties } = schema;
  if (!Array.isArray(required) || !isJsonObject(properties)) return schema;
  const other = isJsonObject(additionalProperties) ? additionalProperties : {};
  const missing = required.filter(
    (name) => typeof name === 'string' && !Object.hasOwn(properties, name),
  );
  const added = Object.fromEntries(missing.map((name) => [String(name), other]));
  return { ...schema, properties: { ...properties, ...added } };
}

function omitInner(value: JsonValue, isMap = false): JsonValue {
  if (isJsonObject(value)) return omitFormats(value, isMap);
  if (!Array.isArray(value)) return value;
  const items = value.map((item) => omitInner(item));
  return items.some((item, at) => item === null && value[at] !== null) ? null : items;
}
