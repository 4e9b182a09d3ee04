/** Loads a recorded comparison into a form; the inverse of `planComparison`. */
import { useMemo } from 'react';
import type { ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { FormValues, VariantDraft } from '../../../shared/form.ts';
import { joinFieldName } from '../../../shared/form-fields.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import {
  describeOperation,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { offerUndoSince } from '../form/change-with-undo.ts';
import type { Form } from '../form/form.ts';
import { mergeSettings, readRecordedSettings } from '../form/parameters.ts';
import { useForm } from '../form/use-form.ts';
import { withoutFields } from '../form/validate-form.ts';
import {
  type ComparedInput,
  listDistinctInputs,
  listRowInputs,
  omitUnsent,
  readRows,
  readSentInput,
} from './compared-input.ts';
import { emptyVariant } from './variant-form.ts';
import { getVariants, getVariantsUndoKey } from './variants.ts';

type AnyForm = Form<OperationName>;
type Values = FormValues<OperationName>;

/** Replaces the form's input and variants; Undo restores `before`. */
export function loadComparison(
  form: AnyForm,
  input: ComparedInput,
  comparison: Comparison,
  before: Values,
): void {
  const here = form.state.getState().values;
  const hadOtherInput = getInputState(form.operation, here, input, comparison) === 'other';
  restoreInput(form, input, comparison);
  const keepsVariants = comparison.variants.every(({ id }) => Object.hasOwn(here.variants, id));
  if (!keepsVariants) replaceVariants(comparison, form, input);
  const losesVariants = !keepsVariants && Object.keys(here.variants).length > 0;
  const what = !losesVariants ? 'Input' : hadOtherInput ? 'Input and variants' : 'Variants';
  const place = what === 'Variants' ? getVariantsUndoKey(form) : form.id;
  offerUndoSince(form, before, `${what} replaced`, { place });
}

function replaceVariants(
  { variants, rows, repeats }: Comparison,
  form: AnyForm,
  input: ComparedInput,
): void {
  const own = rows[0]?.request ?? {};
  const drafts = variants.map((variant, order): [string, VariantDraft] => [
    variant.id,
    { ...getDraft(variant, own, form, input), order },
  ]);
  const known = Object.keys(form.state.getState().values.variants);
  const unset = known.map((id) => joinFieldName('variants', id));
  form.change({ variants: Object.fromEntries(drafts), repeats }, { unset });
}

/** Appends a removed variant with its last-sent settings. */
export function restoreVariant(
  form: AnyForm,
  input: ComparedInput,
  variant: ComparedVariant,
  { rows }: Pick<Comparison, 'rows'>,
): void {
  const known = form.state.getState().values.variants;
  if (Object.hasOwn(known, variant.id)) return;
  const draft = getDraft(variant, rows[0]?.request ?? {}, form, input);
  const order = (getVariants(known).at(-1)?.order ?? -1) + 1;
  form.change({ variants: { [variant.id]: { ...draft, order } } });
}

/** Sets every field that was sent, so that the variant inherits none of them. */
function getDraft(
  { name, connectionId, request, extraBody, wireNames }: ComparedVariant,
  own: JsonObject,
  form: AnyForm,
  { promptField, settings, owned = [] }: ComparedInput,
): VariantDraft {
  const description: OperationDescription = withoutFields(describeOperation(form.operation), owned);
  const { model, ...sent } = request;
  const prompt = promptField?.read(sent) ?? null;
  const set = settings?.read(own, sent) ?? {};
  const chosen: JsonObject = {
    ...own,
    ...(prompt !== null && promptField?.write(own, prompt)),
    ...(Object.keys(set).length > 0 && settings?.write(own, set)),
  };
  const isKnown = new Set([...description.fields.map((field) => field.name), ...owned]);
  // A field without a control becomes an extra body field.
  const others = Object.entries(sent).filter(
    ([field, value]) => !isKnown.has(field) && !isSameJson(value, chosen[field]),
  );
  const recorded = readRecordedSettings(description, {
    request,
    extraBody: { ...Object.fromEntries(others), ...extraBody },
    wireNames,
  });
  return {
    ...emptyVariant,
    name,
    connectionId,
    prompt,
    settings: set,
    models: typeof model === 'string' ? { [connectionId]: model } : {},
    ...mergeSettings(form.state.getState().values, recorded, description),
  };
}

/** `other`: the form can load the comparison's input. `foreign`: the form can't represent it. */
type InputState = 'same' | 'other' | 'foreign';

export function useInputState(
  form: AnyForm,
  input: ComparedInput,
  comparison: Pick<Comparison, 'rows' | 'variants'>,
): InputState {
  const values = useForm(form, (all) => all.input);
  const morePrompts = useForm(form, (all) => all.morePrompts);
  const { operation } = form;
  return useMemo(
    () => getInputState(operation, { input: values, morePrompts }, input, comparison),
    [operation, values, morePrompts, input, comparison],
  );
}

/** Compares the recorded requests with those that these values would produce. */
export function getInputState(
  operation: OperationName,
  values: Pick<Values, 'input' | 'morePrompts'>,
  input: ComparedInput,
  { rows, variants }: Pick<Comparison, 'rows' | 'variants'>,
): InputState {
  if (input.own === undefined) return 'same';
  const now = listRowInputs(input.own.write(values.input), input, values.morePrompts);
  const sent = now.map((request) => omitUnsent(operation, variants, request));
  if (isSameJson(sent, listDistinctInputs(rows))) return 'same';
  return readRows(rows, input) === null ? 'foreign' : 'other';
}

/** Loads what the comparison sent into the form, if the form can represent it. */
export function restoreInput(
  form: AnyForm,
  input: ComparedInput,
  comparison: Pick<Comparison, 'rows' | 'variants'>,
): void {
  const { values } = form.state.getState();
  if (getInputState(form.operation, values, input, comparison) !== 'other') return;
  const sent = readRows(comparison.rows, input);
  if (sent === null || input.own === undefined) return;
  const all = { values: values.input, sent: sent.own };
  form.change({
    input: readSentInput(form.operation, comparison.variants, input.own, all),
    morePrompts: sent.morePrompts,
  });
}
