/** What a form sends that a new one would not, in a few words each. */
import type { JsonValue } from '../../../shared/json.ts';
import type { OperationDescription } from '../../../shared/operations/form/describe.ts';
import { type Draft, extraBodyPath, fieldProblem, isSet, readExtraBody } from './check-draft.ts';

export interface ChangedField {
  /** As `showField` finds it. */
  name: string;
  /** "temperature 0.2". */
  label: string;
  /** Why it cannot be sent; null if it can. */
  problem: string | null;
}

/** In the order of the form, the extra body fields last. */
export function changedFields(description: OperationDescription, draft: Draft): ChangedField[] {
  const changed = description.fields.flatMap((field): ChangedField[] => {
    const { name } = field;
    const preset = description.draft[name];
    if (!isSet(field, draft)) {
      return preset === undefined ? [] : [{ name, label: `${name} not sent`, problem: null }];
    }
    const value = draft.parameters[name];
    if (value !== undefined && JSON.stringify(value) === JSON.stringify(preset)) return [];
    const words = value === undefined ? (draft.typed[name] ?? '') : shortValue(value);
    return [{ name, label: `${name} ${truncate(words)}`, problem: fieldProblem(field, draft) }];
  });
  const extra = readExtraBody(draft.extraBody);
  if (!extra.ok) {
    changed.push({ name: extraBodyPath, label: 'Extra fields', problem: extra.message });
  } else if (Object.keys(extra.fields).length > 0) {
    const label = `Extra fields ${Object.keys(extra.fields).length}`;
    changed.push({ name: extraBodyPath, label, problem: null });
  }
  return changed;
}

const longest = 24;

/** In one line. */
export function truncate(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

export function shortValue(value: JsonValue): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string')
      ? value.join(', ')
      : `${value.length} items`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
