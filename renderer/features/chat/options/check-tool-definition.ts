/** What is wrong with a tool as it is written, before main or a gateway sees it. */
import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { ValueProblem } from '../../../ui/json-editor/json-problems.ts';
import { schemaKeywords, schemaProblems } from './check-json-schema.ts';

export const toolSchemaKeywords = ['function', 'name', 'parameters', ...schemaKeywords];

/** `others`: the names of the other saved tools. */
export function toolProblems(value: JsonValue, others: readonly string[]): ValueProblem[] {
  if (!isJsonObject(value)) return [error([], 'A tool must be a JSON object.')];
  const problems: ValueProblem[] = [];
  if (value.type !== 'function') problems.push(error(['type'], 'type must be "function".'));
  const definition = value.function;
  if (!isJsonObject(definition)) {
    problems.push(error(['function'], 'function must be an object with name and parameters.'));
    return problems;
  }
  const at = (...path: string[]) => ['function', ...path];
  const { name, description, parameters } = definition;
  if (typeof name !== 'string' || name.trim() === '') {
    problems.push(
      error(at('name'), 'function.name must be a string. The model calls the tool by this name.'),
    );
  } else if (others.includes(name)) {
    problems.push(error(at('name'), `A tool named ${name} already exists.`));
  } else if (!/^[\w-]{1,64}$/.test(name)) {
    const message = 'Most gateways allow up to 64 letters, digits, _ and - in a name.';
    problems.push({ path: at('name'), message, severity: 'warning' });
  }
  if (description !== undefined && typeof description !== 'string') {
    problems.push(error(at('description'), 'function.description must be a string.'));
  }
  if (parameters !== undefined) problems.push(...parameterProblems(parameters));
  return problems;
}

function parameterProblems(parameters: JsonValue): ValueProblem[] {
  const path = ['function', 'parameters'];
  if (!isJsonObject(parameters))
    return [error(path, 'function.parameters must be a JSON schema object.')];
  const problems: ValueProblem[] = schemaProblems(parameters, path);
  if (Object.keys(parameters).length > 0 && parameters.type !== 'object') {
    const message = 'Most gateways require "type": "object" here.';
    problems.push({ path, message, severity: 'warning' });
  }
  return problems;
}

function error(path: ValueProblem['path'], message: string): ValueProblem {
  return { path, message, severity: 'error' };
}
