/** In what a variant differs from its form, in a few words each. */
import type { JsonValue } from '../../../shared/json.ts';
import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import { type ChangedField, changedFields, clipped } from '../form/changed-fields.ts';
import { type Draft, extraBodyPath, readExtraBody, renamedFields } from '../form/check-draft.ts';

export interface SentSettings {
  connectionName: string;
  draft: Draft;
  wireNames: Readonly<Record<string, string>>;
}

/** `temperature 0.2`, `voice echo`, `extra: top_k 40`; the model is not named here. */
export function differencesBetween(
  description: OperationDescription,
  form: SentSettings,
  variant: SentSettings & {
    wording: string | null;
    /** Those of the panel's own that are not the form's. */
    settings: Readonly<Record<string, string>>;
  },
): ChangedField[] {
  const differences: ChangedField[] = [];
  if (variant.connectionName !== form.connectionName) {
    differences.push({ name: 'connection', label: variant.connectionName, problem: null });
  }
  if (variant.wording !== null) {
    differences.push({ name: 'wording', label: `“${clipped(variant.wording)}”`, problem: null });
  }
  for (const [name, value] of Object.entries(variant.settings)) {
    differences.push({ name, label: `${name} ${clipped(value)}`, problem: null });
  }
  const against = { ...description, draft: form.draft.parameters };
  const fields = changedFields(against, { ...variant.draft, extraBody: '' });
  return [...differences, ...fields, ...extraDifferences(form, variant), ...renames(form, variant)];
}

function extraDifferences(form: SentSettings, variant: SentSettings): ChangedField[] {
  if (variant.draft.extraBody === form.draft.extraBody) return [];
  const [before, after] = [form, variant].map(({ draft }) => readExtraBody(draft.extraBody));
  if (after === undefined || !after.ok) {
    const problem = after?.message ?? null;
    return [{ name: extraBodyPath, label: 'extra', problem }];
  }
  const known = before?.ok ? before.fields : {};
  const names = [...new Set([...Object.keys(after.fields), ...Object.keys(known)])];
  return names.flatMap((name): ChangedField[] => {
    const value = after.fields[name];
    const words = value === undefined ? 'not sent' : shortWords(value);
    if (value !== undefined && JSON.stringify(value) === JSON.stringify(known[name])) return [];
    return [{ name: extraBodyPath, label: `extra: ${name} ${words}`, problem: null }];
  });
}

function renames(form: SentSettings, variant: SentSettings): ChangedField[] {
  const known = renamedFields(form.wireNames);
  return Object.entries(renamedFields(variant.wireNames))
    .filter(([field, name]) => known[field] !== name)
    .map(([field, name]) => ({ name: field, label: `${field} as ${name}`, problem: null }));
}

function shortWords(value: JsonValue): string {
  return clipped(typeof value === 'string' ? value : JSON.stringify(value));
}
