import { isWholeNumber } from '../../../../shared/compare-numbers.ts';
import { isJsonNumber } from '../../../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';

export interface SchemaProblem {
  path: (string | number)[];
  message: string;
  severity: 'error' | 'warning';
}
type Path = SchemaProblem['path'];

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const ONE_SCHEMA = [
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const SCHEMAS_BY_NAME = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

/** Reports mistakes in the JSON Schema at `at` and allows unknown keywords. */
export function checkJsonSchema(schema: JsonValue, at: Path = []): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  visit(schema, at, problems);
  return problems;
}

function visit(schema: JsonValue, path: Path, problems: SchemaProblem[]): void {
  const fail = (keyword: string, message: string) =>
    problems.push({
      path: [...path, keyword],
      message: `${keyword}: ${message}`,
      severity: 'error',
    });
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) {
    const message = 'A JSON schema must be an object, true or false.';
    problems.push({ path, message, severity: 'error' });
    return;
  }
  if (schema.type !== undefined && !isType(schema.type)) {
    fail('type', `must be one of ${TYPES.join(', ')}, or a list of them.`);
  }
  for (const keyword of SCHEMAS_BY_NAME) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (!isJsonObject(value)) fail(keyword, 'must be an object that maps names to schemas.');
    else
      for (const [name, inner] of Object.entries(value))
        visit(inner, [...path, keyword, name], problems);
  }
  for (const keyword of SCHEMA_LISTS) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (!Array.isArray(value) || value.length === 0) fail(keyword, 'must be a list of schemas.');
    else
      for (const [index, inner] of value.entries())
        visit(inner, [...path, keyword, index], problems);
  }
  for (const keyword of ONE_SCHEMA) {
    const value = schema[keyword];
    if (value !== undefined && !Array.isArray(value)) visit(value, [...path, keyword], problems);
    else if (Array.isArray(value))
      fail(keyword, 'must be a single schema. Use prefixItems for tuples.');
  }
  checkSimple(schema, fail);
  checkRequired(schema, path, problems, fail);
}

function checkSimple(schema: JsonObject, fail: (keyword: string, message: string) => void): void {
  for (const keyword of NUMBERS) {
    if (schema[keyword] !== undefined && !isJsonNumber(schema[keyword])) {
      fail(keyword, 'must be a number.');
    }
  }
  for (const keyword of COUNTS) {
    const value = schema[keyword];
    if (
      value !== undefined &&
      !(isJsonNumber(value) && isWholeNumber(value) && Number(value) >= 0)
    ) {
      fail(keyword, 'must be a whole number of 0 or more.');
    }
  }
  if (schema.enum !== undefined && !(Array.isArray(schema.enum) && schema.enum.length > 0)) {
    fail('enum', 'must be a list of the allowed values.');
  }
  if (typeof schema.pattern === 'string') {
    if (!isPattern(schema.pattern)) fail('pattern', 'isn’t a regular expression.');
  } else if (schema.pattern !== undefined) fail('pattern', 'must be a string.');
  if (schema.description !== undefined && typeof schema.description !== 'string') {
    fail('description', 'must be a string.');
  }
}

function checkRequired(
  { required, properties }: JsonObject,
  path: Path,
  problems: SchemaProblem[],
  fail: (keyword: string, message: string) => void,
): void {
  if (required === undefined) return;
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
    fail('required', 'must be a list of property names, beside properties.');
    return;
  }
  for (const [index, name] of required.entries()) {
    if (isJsonObject(properties) && typeof name === 'string' && !Object.hasOwn(properties, name)) {
      const message = `required lists “${name}”, which isn’t in properties.`;
      problems.push({ path: [...path, 'required', index], message, severity: 'warning' });
    }
  }
}

function isType(value: JsonValue): boolean {
  const types = Array.isArray(value) ? value : [value];
  return (
    types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.includes(type))
  );
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The editor suggests these keywords. */
export const schemaKeywords: readonly string[] = [
  'type',
  'description',
  'required',
  'enum',
  'const',
  'default',
  'format',
  'pattern',
  'minimum',
  'maximum',
  ...COUNTS,
  ...ONE_SCHEMA,
  ...SCHEMAS_BY_NAME,
  ...SCHEMA_LISTS,
  ...TYPES,
];
