/** Checks a text against a JSON Schema (2020-12) by an interpreter: the page may not evaluate code. */
import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';

export interface SchemaViolation {
  /** JSON Pointer into the answer; empty for the whole. */
  path: string;
  message: string;
}

export type SchemaValidation =
  | { kind: 'fits' }
  | { kind: 'not-json'; message: string }
  | { kind: 'misfits'; misfits: SchemaViolation[] }
  /** The schema itself cannot be used, such as one that refers to another address. */
  | { kind: 'bad-schema'; message: string };

/** References are looked up in the schema itself only: nothing is fetched. */
export async function validateJson(text: string, schema: JsonValue): Promise<SchemaValidation> {
  let value: unknown;
  try {
    // The validator calculates with JavaScript's numbers.
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'not-json', message: error instanceof Error ? error.message : String(error) };
  }
  if (!isJsonObject(schema)) {
    if (schema === true) return { kind: 'fits' };
    return { kind: 'bad-schema', message: 'The schema is not an object.' };
  }
  const { Validator } = await import('@cfworker/json-schema');
  try {
    // A copy, as the validator notes what it resolved on the schema; and in JavaScript's numbers.
    const validator = new Validator(JSON.parse(JSON.stringify(schema)), '2020-12', false);
    const { valid, errors } = validator.validate(value);
    if (valid) return { kind: 'fits' };
    return { kind: 'misfits', misfits: deepest(errors) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const isReference = /unresolved \$ref/i.test(detail);
    return {
      kind: 'bad-schema',
      message: isReference
        ? `The schema has an unresolved reference. ${detail.split('\n')[0]}`
        : `The schema cannot be used: ${detail}`,
    };
  }
}

interface OutputUnit {
  keyword: string;
  instanceLocation: string;
  error: string;
}

/** `properties`, `items` and the like only repeat that something inside them did not fit. */
const WRAPPERS = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  'patternProperties',
  'allOf',
  '$ref',
]);

function deepest(errors: readonly OutputUnit[]): SchemaViolation[] {
  const own = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
  return (own.length > 0 ? own : errors).map(({ keyword, instanceLocation, error }) => ({
    path: instanceLocation.replace(/^#/, ''),
    message: keyword === 'false' ? 'Not allowed by the schema.' : error,
  }));
}
