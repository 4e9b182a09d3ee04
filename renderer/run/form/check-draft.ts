import { assertNever } from '../../../shared/assert-never.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { isJsonNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type {
  FieldDescription,
  OperationDescription,
} from '../../../shared/operations/form/description.ts';
import { numberProblem } from '../../../shared/operations/form/number-limits.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { readJsonText } from '../../lib/format-json-error.ts';
import { readTyped } from './typed-value.ts';

export interface Draft {
  /** Set fields by wire name; what is not here is not sent. */
  parameters: JsonObject;
  /** The text in a control, where it differs from the value or is not one yet. */
  typed: Record<string, string>;
  /** JSON as typed. */
  extraBody: string;
}

/** The path of errors in the `Extra body fields` box. */
export const extraBodyPath = 'extra_body';

export type CheckedDraft =
  | { ok: true; request: JsonObject; extraBody: JsonObject }
  | { ok: false; errors: FieldError[] };

/** The set fields as they go into the request, or every field that breaks its limits. */
export function checkDraft(description: OperationDescription, draft: Draft): CheckedDraft {
  const request: JsonObject = {};
  const errors: FieldError[] = [];
  for (const field of description.fields) {
    const problem = fieldProblem(field, draft);
    const value = draft.parameters[field.name];
    if (problem) errors.push({ path: [field.name], message: problem });
    else if (value !== undefined) request[field.name] = value;
  }
  const extra = readExtraBody(draft.extraBody);
  if (!extra.ok) errors.push({ path: [extraBodyPath], message: extra.message });
  else if (errors.length === 0) return { ok: true, request, extraBody: extra.fields };
  return { ok: false, errors };
}

/** The names to send, of what was typed: a blank one and the field's own are no other name. */
export function renamedFields(wireNames: RunInput['wireNames']): RunInput['wireNames'] {
  return Object.fromEntries(
    Object.entries(wireNames)
      .map(([field, name]) => [field, name.trim()] as const)
      .filter(([field, name]) => name !== '' && name !== field),
  );
}

/** What is wrong with a set field, in the schema's words; null where nothing is. */
export function fieldProblem(field: FieldDescription, draft: Draft): string | null {
  const typed = draft.typed[field.name];
  if (typed !== undefined) {
    const read = readTyped(field, typed);
    return read.ok ? valueProblem(field, read.value) : read.message;
  }
  const value = draft.parameters[field.name];
  return value === undefined ? null : valueProblem(field, value);
}

export function isSet(field: FieldDescription, draft: Draft): boolean {
  return Object.hasOwn(draft.parameters, field.name) || Object.hasOwn(draft.typed, field.name);
}

/** Set fields that an extra body field of the name they are sent under replaces. */
export function overriddenFields(
  description: OperationDescription,
  draft: Draft,
  wireNames: RunInput['wireNames'],
): string[] {
  const extra = readExtraBody(draft.extraBody);
  if (!extra.ok) return [];
  const renamed = renamedFields(wireNames);
  return description.fields
    .filter((field) => isSet(field, draft))
    .filter(({ name }) => Object.hasOwn(extra.fields, renamed[name] ?? name))
    .map((field) => field.name);
}

type ExtraBody = { ok: true; fields: JsonObject } | { ok: false; message: string };

export function readExtraBody(text: string): ExtraBody {
  if (text.trim() === '') return { ok: true, fields: {} };
  const read = readJsonText(text);
  if (!read.ok) return read;
  if (!isJsonObject(read.value)) {
    return { ok: false, message: 'Enter a JSON object, such as {"top_k": 40}.' };
  }
  return { ok: true, fields: read.value };
}

function valueProblem(field: FieldDescription, value: JsonValue): string | null {
  switch (field.control) {
    case 'slider':
    case 'number':
      return numberProblem(field, value);
    case 'text':
    case 'multiline':
      if (typeof value !== 'string') return 'Enter text.';
      return field.maxLength !== null && value.length > field.maxLength
        ? `Use at most ${field.maxLength} characters.`
        : null;
    case 'switch':
      return typeof value === 'boolean' ? null : 'Choose on or off.';
    case 'choice':
      return typeof value === 'string' && field.options.includes(value) ? null : oneOf(field);
    case 'choices':
      return Array.isArray(value) &&
        value.every((word) => typeof word === 'string' && field.options.includes(word))
        ? null
        : oneOf(field);
    case 'lines':
      return typeof value === 'string' ||
        (Array.isArray(value) && value.every((line) => typeof line === 'string'))
        ? null
        : 'Enter one per line.';
    case 'map':
    case 'object':
      return isJsonObject(value) ? partProblem(field, value) : 'Enter a JSON object.';
    case 'json':
      return null;
    default:
      return assertNever(field.control);
  }
}

/** In the words that the request's schema uses. */
function partProblem({ control, parts }: FieldDescription, value: JsonObject): string | null {
  if (control === 'map') {
    const areNumbers = Object.values(value).every(isJsonNumber);
    return areNumbers ? null : 'Enter a number for every token.';
  }
  for (const part of parts) {
    const item = value[part.name];
    if (item === undefined) continue;
    const isSwitch = part.control === 'switch';
    if (typeof item === (isSwitch ? 'boolean' : 'string')) continue;
    return isSwitch ? `${part.title}: Choose on or off.` : `${part.title}: Enter text.`;
  }
  return null;
}

function oneOf(field: FieldDescription): string {
  return `Choose from ${field.options.join(', ')}.`;
}
