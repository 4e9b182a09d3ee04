import type { FieldError } from '../../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type {
  FieldDescription,
  OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import { findFieldErrors } from '../../../shared/operations/form/field-errors.ts';
import { FORMAT, findUnsentFields } from '../../../shared/operations/formats.ts';
import { getWireName } from '../../../shared/operations/rename-fields.ts';
import {
  getParam,
  getParamValue,
  getParamValues,
  getWireNames,
  isSet,
  type Params,
} from '../../../shared/param.ts';
import { readJsonText } from '../../lib/format-json-error.ts';
import { readTyped } from './typed-value.ts';

export interface Draft {
  /** Includes the operation's defaults; a parameter without a value or text isn't sent. */
  params: Params;
  extraBody: string;
}

/** Excludes fields that the panel sets itself. */
export function withoutFields(
  description: OperationDescription,
  names: readonly string[],
): OperationDescription {
  if (names.length === 0) return description;
  return { ...description, fields: description.fields.filter(({ name }) => !names.includes(name)) };
}

/** The path for errors in `Extra JSON`. */
export const extraBodyPath = 'extra_body';

export type CheckedDraft =
  | { ok: true; request: JsonObject; extraBody: JsonObject }
  | { ok: false; errors: [FieldError, ...FieldError[]] };

/** Returns the set fields for the request, or else an error per invalid field. */
export function checkDraft(description: OperationDescription, draft: Draft): CheckedDraft {
  const request: JsonObject = {};
  const errors: FieldError[] = [];
  const unsent = findUnsentFields(description.name, getParamValues(draft.params));
  for (const field of description.fields) {
    if (unsent.fields.has(field.name)) continue;
    const problem = findFieldProblem(field, draft);
    const value = getParamValue(draft.params, field.name);
    if (problem) errors.push({ path: [field.name], message: problem });
    else if (value !== undefined) request[field.name] = value;
  }
  const extra = readExtraBody(draft.extraBody);
  if (!extra.ok) errors.push({ path: [extraBodyPath], message: extra.message });
  const [first, ...others] = errors;
  if (first !== undefined) return { ok: false, errors: [first, ...others] };
  return { ok: true, request, extraBody: extra.ok ? extra.fields : {} };
}

/** Returns the field's error; null if it's unset or valid. */
export function findFieldProblem(
  field: FieldDescription,
  { params }: Pick<Draft, 'params'>,
): string | null {
  const { value, text } = getParam(params, field.name);
  if (text !== undefined) {
    const read = readTyped(field, text);
    return read.ok ? findValueProblem(field, read.value) : read.message;
  }
  return value === undefined ? null : findValueProblem(field, value);
}

/** Returns the set fields that the extra body overrides. */
export function listOverriddenFields(
  description: OperationDescription,
  { params, extraBody }: Draft,
): string[] {
  const extra = readExtraBody(extraBody);
  if (!extra.ok) return [];
  return description.fields
    .map(({ name }) => name)
    .filter((name) => isSet(getParam(params, name)))
    .filter((name) => Object.hasOwn(extra.fields, getWireName(name, getWireNames(params))));
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

/** Returns the value's first schema error, prefixed with the name of the affected part, if any. */
function findValueProblem(
  { schema, control, parts }: FieldDescription,
  value: JsonValue,
): string | null {
  const [first] = findFieldErrors(schema, value);
  if (first === undefined) return null;
  const [name] = first.path;
  if (name === undefined || (control !== 'object' && control !== 'map')) return first.message;
  return `${parts.find((part) => part.name === name)?.title ?? name}: ${first.message}`;
}

export interface ChangedField {
  /** The field name for `showField`. */
  name: string;
  label: string;
  /** Null if the field is valid. */
  problem: string | null;
}

/** Lists fields that differ from a new form; extra body fields come last. */
export function listChangedFields(description: OperationDescription, draft: Draft): ChangedField[] {
  const unsent = findUnsentFields(description.name, getParamValues(draft.params)).fields;
  const changed = description.fields.flatMap((field): ChangedField[] => {
    const { name } = field;
    // Skip the format, which is visible next to the model.
    if (name === FORMAT) return [];
    const preset = description.draft[name];
    const param = getParam(draft.params, name);
    if (!isSet(param)) {
      return preset === undefined ? [] : [{ name, label: `${name} not sent`, problem: null }];
    }
    const { value, text = '' } = param;
    if (value !== undefined && JSON.stringify(value) === JSON.stringify(preset)) return [];
    const words = value === undefined ? text : formatShortValue(value);
    const label = `${name} ${truncate(words)}`;
    return unsent.has(name)
      ? [{ name, label: `${label}, not sent`, problem: null }]
      : [{ name, label, problem: findFieldProblem(field, draft) }];
  });
  const extra = readExtraBody(draft.extraBody);
  if (!extra.ok) {
    changed.push({ name: extraBodyPath, label: 'Extra JSON', problem: extra.message });
  } else if (Object.keys(extra.fields).length > 0) {
    const label = `Extra JSON ${Object.keys(extra.fields).length}`;
    changed.push({ name: extraBodyPath, label, problem: null });
  }
  return changed;
}

const MAX_SHOWN_LENGTH = 24;

export function truncate(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH - 1)}…` : line;
}

export function formatShortValue(value: JsonValue): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string')
      ? value.join(', ')
      : `${value.length} items`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
