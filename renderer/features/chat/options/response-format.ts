/** The response format of a conversation, as its picker and its schema editor see it. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { ValueProblem } from '../../../ui/json-editor/json-problems.ts';
import { schemaProblems } from './check-json-schema.ts';

/**
 * The schema that answers are held to. `json_schema` is the schema itself, or, as most gateways want
 * it, an object with a name around it.
 */
export function getSchema(responseFormat: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(responseFormat) || responseFormat.type !== 'json_schema') return null;
  const { json_schema: definition } = responseFormat;
  if (!isJsonObject(definition)) return null;
  return isJsonObject(definition.schema) ? definition.schema : definition;
}

export function schemaDefinitionProblems(value: JsonValue): ValueProblem[] {
  if (!isJsonObject(value)) {
    return [{ path: [], message: 'json_schema must be a JSON object.', severity: 'error' }];
  }
  if (value.schema === undefined) {
    const message = 'Most gateways expect {"name": …, "schema": {…}} around the schema.';
    return [...schemaProblems(value), { path: [], message, severity: 'warning' }];
  }
  const problems: ValueProblem[] = schemaProblems(value.schema, ['schema']);
  if (typeof value.name !== 'string' || value.name === '') {
    const message = 'Most gateways require "name" next to "schema".';
    problems.push({ path: ['name'], message, severity: 'warning' });
  }
  return problems;
}
