/** Validates values against the JSON Schemas of requests. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** Their contents are values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

/**
 * Returns the first problem of a value, or null if it has none; `undefined` if the schema can't be
 * checked, such as one with a pattern, which could take forever.
 */
export function findSchemaProblem(
  schema: JsonObject,
  value: JsonValue,
): { path: string; message: string } | null | undefined {
  const checked = omitFormats(schema);
  if (checked === null) return undefined;
  try {
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

/** Returns null if the schema has patterns; JSON Schema's `format` is only a note. */
function omitFormats(schema: JsonObject): JsonObject | null {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'format' && typeof value === 'string') continue;
    if (name === 'pattern' && typeof value === 'string') return null;
    if (name === 'patternProperties' && isJsonObject(value)) return null;
    const inner = VALUES.has(name) ? value : omitInner(value);
    if (inner === null && value !== null) return null;
    kept[name] = inner;
  }
  return kept;
}

function omitInner(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return omitFormats(value);
  if (!Array.isArray(value)) return value;
  const items = value.map(omitInner);
  return items.some((item, at) => item === null && value[at] !== null) ? null : items;
}
