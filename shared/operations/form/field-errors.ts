/** Turns schema errors into a single sentence per field. */
import type { z } from 'zod';
import type { FieldError } from '../../errors.ts';

/** Returns no errors if `value` is valid. A schema's own message wins over the default one. */
export function findFieldErrors(schema: z.ZodType, value: unknown): FieldError[] {
  const result = schema.safeParse(value, { error: describeIssue });
  return result.success ? [] : result.error.issues.flatMap((issue) => listFieldErrors(issue, []));
}

type Issue = z.core.$ZodIssue;
type IssuePath = readonly PropertyKey[];

function listFieldErrors(issue: Issue, parent: IssuePath): FieldError[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key].map(String),
      message: `Unknown field “${key}”. To send it anyway, add it to Extra JSON.`,
    }));
  }
  if (issue.code === 'invalid_union') {
    const closest = findClosestAlternative(issue.errors);
    if (closest) return closest.flatMap((inner) => listFieldErrors(inner, path));
  }
  return [{ path: path.map(String), message: issue.message }];
}

/** Picks the alternative whose outer type matches, so the error names the nested field. */
function findClosestAlternative(alternatives: Issue[][]): Issue[] | undefined {
  return alternatives.find((issues) => issues.every((issue) => issue.path.length > 0));
}

/** Zod calls the error map for each issue without a custom message. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'This field is required.';
      return `Enter ${getTypeName(issue.expected)}.`;
    case 'invalid_value':
      return `Use ${joinChoices(issue.values.map(String))}.`;
    case 'too_small':
      return limit(
        issue.origin,
        issue.minimum,
        issue.inclusive === false ? 'greater than' : 'at least',
      );
    case 'too_big':
      return limit(
        issue.origin,
        issue.maximum,
        issue.inclusive === false ? 'less than' : 'at most',
      );
    case 'not_multiple_of':
      return `Enter a multiple of ${issue.divisor}.`;
    case 'invalid_union':
      return describeUnion(issue);
    case 'unrecognized_keys':
      return 'Unknown field.';
    default:
      return 'Invalid format.';
  }
}

function describeUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (Array.isArray(issue.options)) return `Use ${joinChoices(issue.options.map(String))}.`;
  const wanted = issue.errors.flatMap((errors) => {
    const first = errors[0];
    if (first?.code === 'invalid_type') return [getTypeName(first.expected)];
    if (first?.code === 'invalid_value') return [joinChoices(first.values.map(String))];
    return [];
  });
  const words = [...new Set(wanted)];
  return words.length > 0 ? `Enter ${words.join(' or ')}.` : 'Invalid format.';
}

function limit(origin: string, bound: number | bigint, words: string): string {
  if (origin === 'string') return `Use ${words} ${bound} characters.`;
  if (origin === 'array' || origin === 'set') return `Add ${words} ${bound} items.`;
  if (words === 'at least') return `Enter ${bound} or more.`;
  if (words === 'at most') return `Enter ${bound} or less.`;
  return `Enter a number ${words} ${bound}.`;
}

/** Completes a sentence that starts with “Enter”; accepts JSON Schema and zod type names. */
export function getTypeName(expected: string): string {
  switch (expected) {
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    case 'int':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'array':
    case 'tuple':
      return 'a list';
    case 'object':
    case 'record':
      return 'a JSON object';
    default:
      return `a value of type ${expected}`;
  }
}

function joinChoices(words: string[]): string {
  if (words.length <= 1) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
