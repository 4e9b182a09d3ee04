/** The parameters of a form: which are set, and what the user does to them. */
import { useMemo } from 'react';
import type { FormFields, FormValues } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import { isSameJson, type JsonValue } from '../../../shared/json.ts';
import {
  describeOperation,
  type FieldDescription,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { ParameterPreset, PresetSettings } from '../../../shared/preset.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { changeWithUndo } from './change-with-undo.ts';
import type { Draft } from './check-draft.ts';
import type { Form } from './form.ts';
import { readTyped } from './typed-value.ts';
import { useForm } from './use-form.ts';

type AnyForm = Form<OperationName>;
type Parameters = Pick<FormValues<OperationName>, 'parameters' | 'cleared' | 'typed' | 'extraBody'>;
/** What a new form of the operation has set. */
type NewForm = Pick<OperationDescription, 'draft'>;

/** What the operation sets in a new form, unless the user cleared it, and what the user has set. */
export function getDraft(values: Parameters, { draft }: NewForm): Draft {
  const { parameters, cleared, typed, extraBody } = values;
  const preset = Object.entries(draft).filter(
    ([name]) => !Object.hasOwn(cleared, name) && !Object.hasOwn(typed, name),
  );
  return { parameters: { ...Object.fromEntries(preset), ...parameters }, typed, extraBody };
}

/** Returns the same object until a parameter or the extra body changes. */
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
  /** What its control keeps beside the value; without it, what was typed there is gone. */
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

/** What was typed into a text control; an emptied one is not set any more. */
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

/** Resets parameters, field names and extra body fields to those of a new form; a variant follows its form again. */
export function resetParameters(form: AnyForm): void {
  const unset = setNames(form);
  if (form.variantOf === null) form.change({ extraBody: '' }, { unset });
  else form.change({}, { unset: [...unset, 'extraBody'] });
}

/** Resets all that a run sends beside its input to what a new form has set. */
export function resetSettings(form: AnyForm, { keepModels = false } = {}): void {
  const models = keepModels ? {} : form.state.getState().values.models;
  const unset = Object.keys(models).map((name) => fieldName('models', name));
  form.change({ extraBody: '' }, { unset: [...setNames(form), ...unset] });
}

/** What is set in the form, as a preset keeps it. */
export function getSettings(form: AnyForm): PresetSettings {
  const { parameters, cleared, typed, wireNames, extraBody } = form.state.getState().values;
  return { parameters, cleared, typed, wireNames, extraBody };
}

/** Where Undo is offered for parameters: beside them, as they may lie over the panel. */
export function parametersPlace({ id }: AnyForm): string {
  return `parameters of ${id}`;
}

/** Replaces the settings by those of a preset, with Undo; the model stays. Only a variant needs `newForm`. */
export function applyPreset(
  form: AnyForm,
  { name, settings }: Pick<ParameterPreset, 'name' | 'settings'>,
): void {
  const followed = form.variantOf?.state.getState().values;
  const whole =
    followed === undefined
      ? settings
      : settingsOver(followed, settings, describeOperation(form.operation));
  const apply = () => form.change(whole, { unset: setNames(form) });
  changeWithUndo(form, apply, `“${name}” applied`, { place: parametersPlace(form) });
}

/** These settings and no others, for a form that follows another one in what it has not set itself. */
export function settingsOver(
  followed: PresetSettings,
  settings: PresetSettings,
  newForm: NewForm,
): PresetSettings {
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

/** Copies what `from` has set to `to`: models, parameters and extra body fields. */
export function copySettings(from: AnyForm, to: AnyForm): void {
  const { parameters, cleared, typed, models, wireNames, extraBody } = from.state.getState().values;
  const values = { parameters, cleared, typed, models, wireNames, extraBody };
  to.change(values, { unset: setNames(to) });
}

/** As a recorded run has them: the fields of its request that have a control, and no other. */
export function restoreParameters(
  form: AnyForm,
  description: OperationDescription,
  run: RecordedSettings,
): void {
  form.change(recordedSettings(description, run), { unset: setNames(form) });
}

type RecordedSettings = Pick<RunInput, 'request' | 'extraBody' | 'wireNames'>;

/** What was sent of the fields that have a control, and all of the others. */
export function recordedSettings(
  { fields, draft }: OperationDescription,
  { request, extraBody, wireNames }: RecordedSettings,
): PresetSettings {
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

function setNames(form: AnyForm): string[] {
  const { parameters, typed, cleared, wireNames } = form.state.getState().values;
  return [
    ...Object.keys(parameters).map((name) => fieldName('parameters', name)),
    ...Object.keys(typed).map((name) => fieldName('typed', name)),
    ...Object.keys(cleared).map((name) => fieldName('cleared', name)),
    ...Object.keys(wireNames).map((name) => fieldName('wireNames', name)),
  ];
}

/** Controls whose text says more than its value: how far a number is typed, how JSON is laid out. */
const keepsText = new Set<FieldDescription['control']>([
  'slider',
  'number',
  'lines',
  'map',
  'object',
  'json',
]);
