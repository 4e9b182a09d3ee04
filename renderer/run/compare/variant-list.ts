/** Creates variants from lists, combining every model with all values of up to two fields. */
import type { VariantDraft } from '../../../shared/form.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { JsonText } from '../../lib/format-json-error.ts';
import { readTyped } from '../form/typed-value.ts';
import { findFieldProblem, readExtraBody } from '../form/validate-form.ts';
import { emptyVariant } from './variant-form.ts';

export interface FillAxis {
  choices: readonly ((draft: VariantDraft) => VariantDraft)[];
}

export function createModelAxis(
  connectionId: string,
  isOwn: boolean,
  models: readonly string[],
): FillAxis {
  return {
    choices: models.map((model) => (draft: VariantDraft) => ({
      ...draft,
      connectionId: isOwn ? connectionId : draft.connectionId,
      models: { ...draft.models, [connectionId]: model },
    })),
  };
}

export type AxisResult = { ok: true; axis: FillAxis } | { ok: false; message: string };

/** Splits at commas and line breaks; splits JSON and long texts only at line breaks. */
export function createFieldAxis(field: FieldDescription, values: string): AxisResult {
  const isLong = ['json', 'multiline', 'lines'].includes(field.control);
  const choices: FillAxis['choices'][number][] = [];
  for (const text of splitValues(values, isLong ? '\n' : /[,\n]/)) {
    const read = field.control === 'switch' ? readSwitch(text) : readTyped(field, text);
    const problem = read.ok
      ? findFieldProblem(field, {
          params: { [field.name]: { value: read.value } },
        })
      : read.message;
    if (!read.ok || problem !== null) return { ok: false, message: `“${text}”: ${problem}` };
    choices.push((draft) => ({
      ...draft,
      params: { ...draft.params, [field.name]: { value: read.value } },
    }));
  }
  return { ok: true, axis: { choices } };
}

/** `formExtra` is the form's extra body JSON. */
export function createExtraAxis(name: string, values: string, formExtra: string): FillAxis {
  return {
    choices: values
      .split('\n')
      .flatMap(readExtraValues)
      .map((value) => (draft: VariantDraft) => {
        const read = readExtraBody(draft.extraBody ?? formExtra);
        const extra: JsonObject = read.ok ? { ...read.fields } : {};
        extra[name] = value;
        return { ...draft, extraBody: JSON.stringify(extra) };
      }),
  };
}

/** Parses a line as comma-separated JSON values, or else as plain texts. */
function readExtraValues(line: string): JsonValue[] {
  const list = parseJson(`[${line}]`);
  if (Array.isArray(list)) return list;
  return splitValues(line, ',').map((text) => {
    const value = parseJson(text);
    return value === undefined ? text : value;
  });
}

export function createSettingAxis(name: string, values: string): FillAxis {
  return {
    choices: splitValues(values, /[,\n]/).map((value) => (draft: VariantDraft) => ({
      ...draft,
      settings: { ...draft.settings, [name]: value },
    })),
  };
}

export function createPromptAxis(values: string): FillAxis {
  return {
    choices: splitValues(values, '\n').map((prompt) => (draft: VariantDraft) => ({
      ...draft,
      prompt,
    })),
  };
}

/** Returns all combinations of one choice per axis; ignores empty axes. */
export function combineAxes(axes: readonly FillAxis[]): VariantDraft[] {
  return axes
    .filter(({ choices }) => choices.length > 0)
    .reduce<VariantDraft[]>(
      (drafts, { choices }) => drafts.flatMap((draft) => choices.map((choose) => choose(draft))),
      [emptyVariant],
    );
}

function readSwitch(text: string): JsonText {
  if (/^(on|true|yes)$/i.test(text)) return { ok: true, value: true };
  if (/^(off|false|no)$/i.test(text)) return { ok: true, value: false };
  return { ok: false, message: 'Enter on or off.' };
}

/** Returns the non-empty values in `text`, trimmed. */
export function splitValues(values: string, separator: string | RegExp): string[] {
  return values
    .split(separator)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
