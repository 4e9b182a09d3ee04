import { isJsonObject, type JsonValue } from '../../../../../shared/json.ts';
import { findJsonProblem } from '../../../../lib/format-json-error.ts';
import { readJsonAnswer } from '../../../../run/body/answer-json.ts';

interface SchemaViolation {
  /** A JSON Pointer into the answer; an empty string is the root. */
  path: string;
  message: string;
}

export type SchemaValidation =
  | { kind: 'fits' }
  | { kind: 'not-json'; message: string }
  | { kind: 'misfits'; misfits: SchemaViolation[] }
  /** The schema itself is invalid, for example because it references another URL. */
  | { kind: 'bad-schema'; message: string };

/** Interprets 2020-12 schemas, because the page can't evaluate code. References aren't fetched. */
export async function validateJson(text: string, schema: JsonValue): Promise<SchemaValidation> {
  let value: unknown;
  try {
    // Plain `JSON.parse` is enough, because the validator uses JavaScript numbers anyway.
    value = JSON.parse(text);
  } catch {
    const message = readJsonAnswer(text) === null ? findJsonProblem(text)?.message : IN_FENCE;
    return { kind: 'not-json', message: message ?? '' };
  }
  if (!isJsonObject(schema)) {
    if (schema === true) return { kind: 'fits' };
    return { kind: 'bad-schema', message: 'The schema isn’t an object.' };
  }
  const { Validator } = await import('@cfworker/json-schema');
  try {
    // Copy the schema, because the validator mutates it.
    const validator = new Validator(JSON.parse(JSON.stringify(schema)), '2020-12', false);
    const { valid, errors } = validator.validate(value);
    if (valid) return { kind: 'fits' };
    return { kind: 'misfits', misfits: getInnermost(errors) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const isReference = /unresolved \$ref/i.test(detail);
    return {
      kind: 'bad-schema',
      message: isReference
        ? `The schema has an unresolved reference. ${detail.split('\n')[0]}`
        : `Invalid schema: ${detail}`,
    };
  }
}

const IN_FENCE = 'It’s inside a code fence.';

interface OutputUnit {
  keyword: string;
  instanceLocation: string;
  error: string;
}

/** Errors for these keywords only repeat the errors of nested values. */
const WRAPPERS = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  'patternProperties',
  'allOf',
  '$ref',
]);

function getInnermost(errors: readonly OutputUnit[]): SchemaViolation[] {
  const own = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
  return (own.length > 0 ? own : errors).map(({ keyword, instanceLocation, error }) => ({
    path: instanceLocation.replace(/^#/, ''),
    message: keyword === 'false' ? 'Not allowed by the schema.' : rewordError(error),
  }));
}

function rewordError(error: string): string {
  return error
    .replace(/^Instance type (".*") is invalid\. Expected (".*")\.$/, 'Expected $2, got $1.')
    .replace(/^Instance does not have required property (".*")\.$/s, '$1 is missing.')
    .replace(/^Instance (does|has|matched)/, 'This value $1');
}
