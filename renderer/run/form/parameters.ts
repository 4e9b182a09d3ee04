import { useMemo } from 'react';
import { joinFieldName } from '../../../shared/form-fields.ts';
import { isSameJson, type JsonValue } from '../../../shared/json.ts';
import type {
  FieldDescription,
  OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import { FORMAT } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import {
  getParam,
  getParamState,
  getParamValue,
  hasParamState,
  isEmptyParam,
  isSet,
  mergeParams,
  type Param,
} from '../../../shared/param.ts';
import type { RunInput } from '../../../shared/run.ts';
import type { ParameterSettings } from '../../../shared/saved-items.ts';
import type { Form } from './form.ts';
import { readTyped } from './typed-value.ts';
import { useForm } from './use-form.ts';
import type { Draft } from './validate-form.ts';

type AnyForm = Form<OperationName>;
type NewForm = Pick<OperationDescription, 'draft'>;

/** Puts the user's parameters over the operation's defaults. */
export function getDraft({ params, extraBody }: ParameterSettings, { draft }: NewForm): Draft {
  const defaults = Object.entries(draft).map(([name, value]): [string, Param] => [name, { value }]);
  return { params: mergeParams(Object.fromEntries(defaults), params), extraBody };
}

/** Returns the same object until the parameters or the extra body change. */
export function useDraft(form: AnyForm, { draft }: NewForm): Draft {
  const params = useForm(form, (values) => values.params);
  const extraBody = useForm(form, (values) => values.extraBody);
  return useMemo(() => getDraft({ params, extraBody }, { draft }), [params, extraBody, draft]);
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
  const param = text === undefined ? { value } : { value, text };
  form.change({ params: { [name]: param } }, { typing });
}

/** An empty `format` selects the operation's default. */
export function setFormat(form: AnyForm, format: string): void {
  const current = getParamValue(form.state.getState().values.params, FORMAT) ?? '';
  if (current === format) return;
  if (format === '') clearParameter(form, FORMAT);
  else setParameter(form, FORMAT, format);
}

/** Unsets the parameter if the text is empty. */
export function typeParameter(form: AnyForm, field: FieldDescription, text: string): void {
  const typing = field.control !== 'choice';
  form.change({ params: { [field.name]: readParam(field, text) } }, { typing });
}

/** Returns the parameter for a control's text, which is off if the text is empty. */
export function readParam(field: FieldDescription, text: string): Param {
  const { control } = field;
  if (text === '' && control !== 'json') return { off: true };
  const read = readTyped(field, text);
  if (!read.ok) return { text };
  return { value: read.value, ...(keepsText.has(control) && { text }) };
}

export function clearParameter(form: AnyForm, name: string, { typing = false } = {}): void {
  form.change({ params: { [name]: { off: true } } }, { typing });
}

/** Resets the parameters; in a variant, they inherit from the form again. */
export function resetParameters(form: AnyForm): void {
  const unset = listParamFields(form);
  if (form.variantOf === null) form.change({ extraBody: '' }, { unset });
  else form.change({}, { unset: [...unset, 'extraBody'] });
}

/** Resets every field of the request except the input. */
export function resetSettings(form: AnyForm, { keepModels = false } = {}): void {
  const models = keepModels ? {} : form.state.getState().values.models;
  const unset = Object.keys(models).map((name) => joinFieldName('models', name));
  form.change({ extraBody: '' }, { unset: [...listParamFields(form), ...unset] });
}

/** Omits the default format, because settings without a format keep the format of their target. */
export function getSettings(form: AnyForm): ParameterSettings {
  const { params, extraBody } = form.state.getState().values;
  const { [FORMAT]: format, ...others } = params;
  return { params: format?.off === true ? others : params, extraBody };
}

/** Shows Undo next to the parameters, because the sidebar may cover the panel. */
export function getParametersUndoKey({ id }: AnyForm): string {
  return `parameters of ${id}`;
}

/** Returns the overrides that give a variant exactly the target settings. */
export function mergeSettings(
  followed: ParameterSettings,
  { params, extraBody }: ParameterSettings,
  newForm: NewForm,
): ParameterSettings {
  const other = getDraft(followed, newForm).params;
  const wanted = getDraft({ params, extraBody }, newForm).params;
  const names = new Set([...Object.keys(other), ...Object.keys(wanted)]);
  const overrides = [...names].map((name): [string, Param] => {
    const [own, under] = [getParam(params, name), getParam(other, name)];
    const state = getOverride({ own, wanted: getParam(wanted, name), other: under });
    const as = own.as ?? (under.as === undefined ? undefined : '');
    return [name, as === undefined ? state : { ...state, as }];
  });
  return {
    params: Object.fromEntries(overrides.filter(([, param]) => !isEmptyParam(param))),
    extraBody,
  };
}

interface Override {
  own: Param;
  /** `own` over the operation's default. */
  wanted: Param;
  /** The panel's parameter over the operation's default. */
  other: Param;
}

/** Keeps what the user set; a default is inherited if the panel has the same one. */
function getOverride({ own, wanted, other }: Override): Param {
  if (hasParamState(own)) return getParamState(own);
  if (!isSet(wanted)) return isSet(other) ? { off: true } : {};
  return isSameJson(getParamState(wanted), getParamState(other)) ? {} : getParamState(wanted);
}

export function copySettings(from: AnyForm, to: AnyForm): void {
  const { models } = from.state.getState().values;
  to.change({ ...getSettings(from), models }, { unset: listParamFields(to) });
}

export function restoreParameters(
  form: AnyForm,
  description: OperationDescription,
  run: RecordedSettings,
): void {
  form.change(readRecordedSettings(description, run), { unset: listParamFields(form) });
}

type RecordedSettings = Pick<RunInput, 'request' | 'extraBody' | 'wireNames'>;

export function readRecordedSettings(
  { fields, draft }: OperationDescription,
  { request, extraBody, wireNames }: RecordedSettings,
): ParameterSettings {
  const params: Record<string, Param> = {};
  for (const { name } of fields) {
    const value = request[name];
    if (value !== undefined) params[name] = { value };
    else if (Object.hasOwn(draft, name)) params[name] = { off: true };
  }
  const renamed = Object.entries(wireNames).map(([name, as]): [string, Param] => [name, { as }]);
  return {
    params: mergeParams(params, Object.fromEntries(renamed)),
    extraBody: Object.keys(extraBody).length === 0 ? '' : JSON.stringify(extraBody, null, 2),
  };
}

/** Returns the field names of all parameters except a chosen format. */
export function listParamFields(form: AnyForm): string[] {
  const { params } = form.state.getState().values;
  return Object.keys(params)
    .filter((name) => name !== FORMAT || !isSet(getParam(params, name)))
    .map((name) => joinFieldName('params', name));
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
