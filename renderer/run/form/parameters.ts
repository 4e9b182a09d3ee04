import { useMemo } from 'react';
import type { FormFields, FormValues } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import { isSameJson, type JsonValue } from '../../../shared/json.ts';
import type {
  FieldDescription,
  OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import { FORMAT } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput } from '../../../shared/run.ts';
import type { ParameterSettings } from '../../../shared/saved-items.ts';
import type { Form } from './form.ts';
import { readTyped } from './typed-value.ts';
import { useForm } from './use-form.ts';
import type { Draft } from './validate-form.ts';

type AnyForm = Form<OperationName>;
type Parameters = Pick<FormValues<OperationName>, 'parameters' | 'cleared' | 'typed' | 'extraBody'>;
type NewForm = Pick<OperationDescription, 'draft'>;

/** Merges the user's values with defaults that the user hasn't cleared. */
export function getDraft(values: Parameters, { draft }: NewForm): Draft {
  const { parameters, cleared, typed, extraBody } = values;
  const preset = Object.entries(draft).filter(
    ([name]) => !Object.hasOwn(cleared, name) && !Object.hasOwn(typed, name),
  );
  return { parameters: { ...Object.fromEntries(preset), ...parameters }, typed, extraBody };
}

/** Returns the same object until the parameters or the extra body change. */
export function useDraft(form: AnyForm, { draft }: NewForm): Draft {
  const parameters = useForm(form, (values) => values.parameters);
  const cleared = useForm(form, (values) => values.cleared);
  const typed = useForm(form, (values) => values.typed);
  const extraBody = useForm(form, (values) => values.extraBody);
  return useMemo(
    () => getDraft({ parameters, cleared, typed, extraBody }, { draft }),
    [parameters, cleared, typed, extraBody, draft],
  );
}

export interface SetOptions {
  typing?: boolean;
  /** The control's text, if it differs from the formatted value. */
  text?: string;
}

export function setParameter(
  form: AnyForm,
  name: string,
  value: JsonValue,
  { typing = false, text }: SetOptions = {},
): void {
  form.change(
    { parameters: { [name]: value }, ...(text !== undefined && { typed: { [name]: text } }) },
    { unset: text === undefined ? [fieldName('typed', name)] : [], typing },
  );
}

/** An empty `format` selects the operation's default. */
export function setFormat(form: AnyForm, format: string): void {
  const current = form.state.getState().values.parameters[FORMAT] ?? '';
  if (current === format) return;
  if (format === '') clearParameter(form, FORMAT);
  else setParameter(form, FORMAT, format);
}

/** Unsets the parameter if the text is empty. */
export function typeParameter(form: AnyForm, field: FieldDescription, text: string): void {
  const { name, control } = field;
  const typing = control !== 'choice';
  if (text === '' && control !== 'json') {
    clearParameter(form, name, { typing });
    return;
  }
  const value = readTyped(field, text);
  const values: FormFields<OperationName> = {
    ...(keepsText.has(control) && { typed: { [name]: text } }),
    ...(value.ok && { parameters: { [name]: value.value } }),
  };
  form.change(values, {
    typing,
    unset: value.ok ? [] : [fieldName('parameters', name)],
  });
}

export function clearParameter(form: AnyForm, name: string, { typing = false } = {}): void {
  const unset = [fieldName('parameters', name), fieldName('typed', name)];
  form.change({ cleared: { [name]: true } }, { unset, typing });
}

/** Resets the parameters; in a variant, they inherit from the form again. */
export function resetParameters(form: AnyForm): void {
  const unset = setNames(form);
  if (form.variantOf === null) form.change({ extraBody: '' }, { unset });
  else form.change({}, { unset: [...unset, 'extraBody'] });
}

/** Resets every field of the request except the input. */
export function resetSettings(form: AnyForm, { keepModels = false } = {}): void {
  const models = keepModels ? {} : form.state.getState().values.models;
  const unset = Object.keys(models).map((name) => fieldName('models', name));
  form.change({ extraBody: '' }, { unset: [...setNames(form), ...unset] });
}

export function getSettings(form: AnyForm): ParameterSettings {
  const { parameters, cleared, typed, wireNames, extraBody } = form.state.getState().values;
  return { parameters, cleared, typed, wireNames, extraBody };
}

/** Shows Undo next to the parameters, because the sidebar may cover the panel. */
export function getParametersUndoKey({ id }: AnyForm): string {
  return `parameters of ${id}`;
}

/** Returns the overrides that give a variant exactly the target settings. */
export function mergeSettings(
  followed: ParameterSettings,
  settings: ParameterSettings,
  newForm: NewForm,
): ParameterSettings {
  const wanted = getDraft(settings, newForm);
  const other = getDraft(followed, newForm);
  const isWanted = (name: string) =>
    Object.hasOwn(wanted.parameters, name) || Object.hasOwn(wanted.typed, name);
  const follows = ([name, value]: [string, JsonValue]) =>
    !Object.hasOwn(settings.parameters, name) &&
    !Object.hasOwn(other.typed, name) &&
    isSameJson(value, other.parameters[name]);
  const gone = [other.parameters, other.typed]
    .flatMap(Object.keys)
    .filter((name) => !isWanted(name));
  const names = Object.keys(followed.wireNames);
  return {
    parameters: Object.fromEntries(
      Object.entries(wanted.parameters).filter((entry) => !follows(entry)),
    ),
    cleared: {
      ...settings.cleared,
      ...Object.fromEntries(gone.map((name) => [name, true as const])),
    },
    typed: settings.typed,
    wireNames: { ...Object.fromEntries(names.map((name) => [name, ''])), ...settings.wireNames },
    extraBody: settings.extraBody,
  };
}

export function copySettings(from: AnyForm, to: AnyForm): void {
  const { parameters, cleared, typed, models, wireNames, extraBody } = from.state.getState().values;
  const values = { parameters, cleared, typed, models, wireNames, extraBody };
  to.change(values, { unset: setNames(to) });
}

export function restoreParameters(
  form: AnyForm,
  description: OperationDescription,
  run: RecordedSettings,
): void {
  form.change(readRecordedSettings(description, run), { unset: setNames(form) });
}

type RecordedSettings = Pick<RunInput, 'request' | 'extraBody' | 'wireNames'>;

export function readRecordedSettings(
  { fields, draft }: OperationDescription,
  { request, extraBody, wireNames }: RecordedSettings,
): ParameterSettings {
  const known = new Set(fields.map(({ name }) => name));
  const parameters = Object.entries(request).filter(([name]) => known.has(name));
  const cleared = Object.keys(draft).filter(
    (name) => known.has(name) && !Object.hasOwn(request, name),
  );
  return {
    parameters: Object.fromEntries(parameters),
    cleared: Object.fromEntries(cleared.map((name) => [name, true as const])),
    typed: {},
    wireNames,
    extraBody: Object.keys(extraBody).length === 0 ? '' : JSON.stringify(extraBody, null, 2),
  };
}

/** Returns the names of all parameter fields that are set. */
export function setNames(form: AnyForm): string[] {
  const { parameters, typed, cleared, wireNames } = form.state.getState().values;
  return [
    ...Object.keys(parameters)
      .filter((name) => name !== FORMAT)
      .map((name) => fieldName('parameters', name)),
    ...Object.keys(typed).map((name) => fieldName('typed', name)),
    ...Object.keys(cleared).map((name) => fieldName('cleared', name)),
    ...Object.keys(wireNames).map((name) => fieldName('wireNames', name)),
  ];
}

/** These controls keep their text, because values lose details such as JSON formatting. */
const keepsText = new Set<FieldDescription['control']>([
  'slider',
  'number',
  'lines',
  'map',
  'object',
  'json',
]);
