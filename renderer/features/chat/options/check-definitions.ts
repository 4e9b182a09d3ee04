import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { ValueProblem } from '../../../ui/json-editor/json-problems.ts';
import {
  checkJsonSchema,
  createProblem,
  getInnerSchemas,
  schemaKeywords,
} from './check-json-schema.ts';

export const toolSchemaKeywords = ['function', 'name', 'parameters', ...schemaKeywords];

export function checkTool(value: JsonValue, otherNames: readonly string[]): ValueProblem[] {
  if (!isJsonObject(value)) return [createProblem([], 'A tool must be a JSON object.')];
  const problems: ValueProblem[] = [];
  if (value.type !== 'function') problems.push(createProblem(['type'], 'type must be "function".'));
  const definition = value.function;
  if (!isJsonObject(definition)) {
    problems.push(
      createProblem(['function'], 'function must be an object with name and parameters.'),
    );
    return problems;
  }
  const at = (...path: string[]) => ['function', ...path];
  const { name, description, parameters } = definition;
  if (typeof name !== 'string' || name.trim() === '') {
    problems.push(
      createProblem(
        at('name'),
        'function.name must be a string. The model calls the tool by this name.',
      ),
    );
  } else if (otherNames.includes(name)) {
    problems.push(createProblem(at('name'), `A tool named ${name} already exists.`));
  } else if (!/^[\w-]{1,64}$/.test(name)) {
    const message = 'Most gateways allow up to 64 letters, digits, _ and - in a name.';
    problems.push(createProblem(at('name'), message, 'warning'));
  }
  if (description !== undefined && typeof description !== 'string') {
    problems.push(createProblem(at('description'), 'function.description must be a string.'));
  }
  if (parameters !== undefined) problems.push(...checkParameters(parameters));
  if (definition.strict === true && parameters !== undefined) {
    problems.push(...checkStrict(parameters, at('parameters')));
  }
  return problems;
}

function checkParameters(parameters: JsonValue): ValueProblem[] {
  const path = ['function', 'parameters'];
  if (!isJsonObject(parameters))
    return [createProblem(path, 'function.parameters must be a JSON schema object.')];
  const problems: ValueProblem[] = checkJsonSchema(parameters, path);
  if (Object.keys(parameters).length > 0 && parameters.type !== 'object') {
    const message = 'Most gateways require "type": "object" here.';
    problems.push(createProblem(path, message, 'warning'));
  }
  return problems;
}

const MAX_NAMES = 5;

/**
 * Warns of objects that strict modes reject.
 * https://developers.openai.com/api/docs/guides/structured-outputs
 */
function checkStrict(schema: JsonValue, path: ValueProblem['path']): ValueProblem[] {
  if (!isJsonObject(schema)) return [];
  const { properties, required, additionalProperties } = schema;
  const problems: ValueProblem[] = [];
  const fields = isJsonObject(properties) ? properties : {};
  if (schema.type === 'object' && additionalProperties !== false) {
    const message = 'Strict modes need "additionalProperties": false in every object.';
    problems.push(createProblem(path, message, 'warning'));
  }
  const listed = Array.isArray(required) ? required : [];
  const missing = Object.keys(fields).filter((name) => !listed.includes(name));
  if (missing.length > 0) {
    const names = missing.slice(0, MAX_NAMES).join(', ');
    const more = missing.length > MAX_NAMES ? ` and ${missing.length - MAX_NAMES} more` : '';
    const message = `Strict modes require every property. Add ${names}${more} to required.`;
    problems.push(createProblem([...path, 'properties'], message, 'warning'));
  }
  return [
    ...problems,
    ...getInnerSchemas(schema).flatMap(([at, inner]) => checkStrict(inner, [...path, ...at])),
  ];
}

/**
 * Returns the schema in `json_schema`, either directly or under `schema`; null if there is none.
 */
export function getSchema(responseFormat: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(responseFormat) || responseFormat.type !== 'json_schema') return null;
  const { json_schema: definition } = responseFormat;
  if (!isJsonObject(definition)) return null;
  return isJsonObject(definition.schema) ? definition.schema : definition;
}

export function checkSchemaDefinition(value: JsonValue): ValueProblem[] {
  if (!isJsonObject(value)) {
    return [createProblem([], 'json_schema must be a JSON object.')];
  }
  if (value.schema === undefined) {
    const message = 'Most gateways expect {"name": …, "schema": {…}} around the schema.';
    return [...checkJsonSchema(value), createProblem([], message, 'warning')];
  }
  const problems: ValueProblem[] = checkJsonSchema(value.schema, ['schema']);
  if (value.strict === true) {
    if (isJsonObject(value.schema) && value.schema.type !== 'object') {
      const message = 'Strict modes need "type": "object" at the top of the schema.';
      problems.push(createProblem(['schema'], message, 'warning'));
    }
    problems.push(...checkStrict(value.schema, ['schema']));
  }
  if (typeof value.name !== 'string' || value.name === '') {
    const message = 'Most gateways require "name" next to "schema".';
    problems.push(createProblem(['name'], message, 'warning'));
  }
  return problems;
}
