import { isWholeNumber } from '../../../../shared/compare-numbers.ts';
import { isJsonNumber } from '../../../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { ValueProblem } from '../../../ui/json-editor/json-problems.ts';
import { hasPointer } from '../../../ui/json-view/json-rows.ts';

type Path = ValueProblem['path'];

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
const COUNTS = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
];

type Rule = [keywords: string[], isValid: (value: JsonValue) => boolean, message: string];

const RULES: readonly Rule[] = [
  [['type'], isType, `must be one of ${TYPES.join(', ')}, or a list of them.`],
  [SCHEMAS_BY_NAME, isJsonObject, 'must be an object that maps names to schemas.'],
  [SCHEMA_LISTS, isFilledList, 'must be a list of schemas.'],
  [ONE_SCHEMA, isNoList, 'must be a single schema. Use prefixItems for tuples.'],
  [NUMBERS, isJsonNumber, 'must be a number.'],
  [COUNTS, isCount, 'must be a whole number of 0 or more.'],
  [['enum'], isFilledList, 'must be a list of the allowed values.'],
  [['pattern', 'description', '$ref'], isString, 'must be a string.'],
  [['uniqueItems'], isBoolean, 'must be true or false.'],
  [['pattern'], isPatternIfText, 'isn’t a regular expression.'],
  [['required'], isListOfNames, 'must be a list of property names, beside properties.'],
];

/**
 * Reports invalid keywords in the schema at `path`, and `$ref`s that don't resolve in `root`.
 * Unknown keywords are allowed.
 */
export function checkJsonSchema(
  schema: JsonValue,
  path: Path = [],
  root: JsonValue = schema,
): ValueProblem[] {
  if (typeof schema === 'boolean') return [];
  if (!isJsonObject(schema)) {
    return [createProblem(path, 'A JSON schema must be an object, true or false.')];
  }
  return [
    ...RULES.flatMap(([keywords, isValid, message]) =>
      keywords.flatMap((keyword) => {
        const value = schema[keyword];
        if (value === undefined || isValid(value)) return [];
        return createProblem([...path, keyword], `${keyword}: ${message}`);
      }),
    ),
    ...checkRequired(schema, path),
    ...checkReference(schema, path, root),
    ...getInnerSchemas(schema).flatMap(([at, inner]) =>
      checkJsonSchema(inner, [...path, ...at], root),
    ),
  ];
}

export function createProblem(
  path: Path,
  message: string,
  severity: ValueProblem['severity'] = 'error',
): ValueProblem {
  return { path, message, severity };
}

/** Returns the subschemas of `schema`, with their paths in it. */
export function getInnerSchemas(schema: JsonObject): [path: Path, schema: JsonValue][] {
  const found: [Path, JsonValue][] = [];
  for (const keyword of [...SCHEMAS_BY_NAME, ...SCHEMA_LISTS]) {
    const value = schema[keyword];
    const isNamed = SCHEMAS_BY_NAME.includes(keyword);
    if (isNamed && isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) found.push([[keyword, name], inner]);
    } else if (!isNamed && Array.isArray(value)) {
      for (const [index, inner] of value.entries()) found.push([[keyword, index], inner]);
    }
  }
  for (const keyword of ONE_SCHEMA) {
    const value = schema[keyword];
    if (value !== undefined && !Array.isArray(value)) found.push([[keyword], value]);
  }
  return found;
}

function checkRequired({ required = null, properties }: JsonObject, path: Path): ValueProblem[] {
  if (!isListOfNames(required) || !isJsonObject(properties)) return [];
  return required.flatMap((name, index) => {
    if (Object.hasOwn(properties, name)) return [];
    const message = `required lists “${name}”, which isn’t in properties.`;
    return createProblem([...path, 'required', index], message, 'warning');
  });
}

function checkReference({ $ref = null }: JsonObject, path: Path, root: JsonValue): ValueProblem[] {
  if (!isString($ref) || !$ref.startsWith('#/') || hasPointer(root, $ref.slice(1))) return [];
  const message = `$ref “${$ref}” isn’t in the schema, so answers can’t be checked.`;
  return [createProblem([...path, '$ref'], message, 'warning')];
}

function isBoolean(value: JsonValue): boolean {
  return typeof value === 'boolean';
}

function isString(value: JsonValue): value is string {
  return typeof value === 'string';
}

function isListOfNames(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every(isString);
}

function isFilledList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isNoList(value: JsonValue): boolean {
  return !Array.isArray(value);
}

function isCount(value: JsonValue): boolean {
  return isJsonNumber(value) && isWholeNumber(value) && Number(value) >= 0;
}

function isType(value: JsonValue): boolean {
  const types = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => isString(type) && TYPES.includes(type));
}

function isPatternIfText(value: JsonValue): boolean {
  try {
    return !isString(value) || new RegExp(value, 'u') !== null;
  } catch {
    return false;
  }
}

/** Keywords that the editor suggests. */
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
