/** Describes briefly how a variant differs from its form. */
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { OperationDescription } from '../../../shared/operations/form/describe.ts';
import { FORMAT, findUnsentFields } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getParamValues, getWireNames } from '../../../shared/param.ts';
import {
  type ChangedField,
  type Draft,
  extraBodyPath,
  listChangedFields,
  readExtraBody,
  truncate,
} from '../form/validate-form.ts';

type WireNames = Readonly<Record<string, string>>;

export interface SentSettings {
  connectionName: string;
  draft: Draft;
}

/** Returns labels such as `temperature 0.2` or `extra: top_k 40`, without the model. */
export function listDifferences(
  description: OperationDescription,
  form: SentSettings,
  variant: SentSettings & {
    prompt: string | null;
    settings: Readonly<Record<string, string>>;
  },
): ChangedField[] {
  const differences: ChangedField[] = [];
  if (variant.connectionName !== form.connectionName) {
    differences.push({ name: 'connection', label: variant.connectionName, problem: null });
  }
  if (variant.prompt !== null) {
    differences.push({ name: 'prompt', label: `“${truncate(variant.prompt)}”`, problem: null });
  }
  const format = findFormatTitle(description.name, variant.draft);
  if (format !== findFormatTitle(description.name, form.draft)) {
    differences.push({ name: FORMAT, label: format, problem: null });
  }
  for (const [name, value] of Object.entries(variant.settings)) {
    differences.push({ name, label: `${name} ${truncate(value)}`, problem: null });
  }
  const against = { ...description, draft: getParamValues(form.draft.params) };
  const fields = listChangedFields(against, { ...variant.draft, extraBody: '' });
  const extra = listExtraDifferences(form, variant);
  const renames = listRenames(getWireNames(form.draft.params), getWireNames(variant.draft.params));
  return [...differences, ...fields, ...extra, ...renames];
}

function findFormatTitle(name: OperationName, { params }: Draft): string {
  return findUnsentFields(name, getParamValues(params)).title;
}

function listExtraDifferences(form: SentSettings, variant: SentSettings): ChangedField[] {
  if (variant.draft.extraBody === form.draft.extraBody) return [];
  const [before, after] = [form, variant].map(({ draft }) => readExtraBody(draft.extraBody));
  if (after === undefined || !after.ok) {
    const problem = after?.message ?? null;
    return [{ name: extraBodyPath, label: 'extra', problem }];
  }
  const known = before?.ok ? before.fields : {};
  return describeExtra(known, after.fields).map((label) => ({
    name: extraBodyPath,
    label,
    problem: null,
  }));
}

/** Describes the differences between `fields` and `known`. */
export function describeExtra(known: JsonObject, fields: JsonObject): string[] {
  const names = [...new Set([...Object.keys(fields), ...Object.keys(known)])];
  return names.flatMap((name) => {
    const value = fields[name];
    const words = value === undefined ? 'not sent' : shortenLabel(value);
    if (value !== undefined && JSON.stringify(value) === JSON.stringify(known[name])) return [];
    return [`extra: ${name} ${words}`];
  });
}

/** Describes fields that only `to` renames, such as `max_tokens as max_completion_tokens`. */
export function listRenames(from: WireNames, to: WireNames): ChangedField[] {
  return Object.entries(to)
    .filter(([field, name]) => from[field] !== name)
    .map(([field, name]) => ({ name: field, label: `${field} as ${name}`, problem: null }));
}

function shortenLabel(value: JsonValue): string {
  return truncate(typeof value === 'string' ? value : JSON.stringify(value));
}
