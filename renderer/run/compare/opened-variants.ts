/** A comparison in its form as it was chosen: the reverse of what `planComparison` makes of a form. */
import type { ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { FormValues, VariantDraft } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import {
  describeOperation,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { offerUndoSince } from '../form/change-with-undo.ts';
import { withoutFields } from '../form/check-draft.ts';
import type { Form } from '../form/form.ts';
import { recordedSettings, settingsOver } from '../form/parameters.ts';
import type { ComparedInput } from './compared-input.ts';
import { inputState, restoreInput } from './opened-input.ts';
import { emptyVariant } from './variant-form.ts';
import { getVariants, variantsPlace } from './variants.ts';

type AnyForm = Form<OperationName>;

/** Its input and variants in place of the form's; Undo restores what the form held `before`. */
export async function loadComparison(
  form: AnyForm,
  input: ComparedInput,
  comparison: Comparison,
  before: FormValues<OperationName>,
): Promise<void> {
  const description = getDescription(form, input);
  const here = form.state.getState().values;
  const isOther = inputState(here, input, comparison.rows) === 'other';
  restoreInput(form, input, comparison);
  // Changed or not.
  const keepsVariants = comparison.variants.every(({ id }) => Object.hasOwn(here.variants, id));
  if (!keepsVariants) replaceVariants(comparison, { form, input, description });
  const losesVariants = !keepsVariants && Object.keys(here.variants).length > 0;
  const what = !losesVariants ? 'Input' : isOther ? 'Input and variants' : 'Variants';
  const place = what === 'Variants' ? variantsPlace(form) : form.id;
  offerUndoSince(form, before, `${what} replaced`, { place });
}

function replaceVariants({ variants, rows, repeats }: Comparison, panel: Panel): void {
  const { form } = panel;
  const own = rows[0]?.request ?? {};
  const drafts = variants.map((variant, order): [string, VariantDraft] => [
    variant.id,
    { ...getDraft(variant, own, panel), order },
  ]);
  const known = Object.keys(form.state.getState().values.variants);
  const unset = known.map((id) => fieldName('variants', id));
  form.change({ variants: Object.fromEntries(drafts), repeats }, { unset });
}

/** One that the form no longer has, as it was sent last and behind the others. */
export async function restoreVariant(
  form: AnyForm,
  input: ComparedInput,
  variant: ComparedVariant,
  { rows }: Pick<Comparison, 'rows'>,
): Promise<void> {
  const description = getDescription(form, input);
  const known = form.state.getState().values.variants;
  if (Object.hasOwn(known, variant.id)) return;
  const draft = getDraft(variant, rows[0]?.request ?? {}, { form, input, description });
  const order = (getVariants(known).at(-1)?.order ?? -1) + 1;
  form.change({ variants: { [variant.id]: { ...draft, order } } });
}

/** Leaves out the fields that the panel sets itself. */
function getDescription(
  { operation }: AnyForm,
  { owned = [] }: ComparedInput,
): OperationDescription {
  return withoutFields(describeOperation(operation), owned);
}

interface Panel {
  form: AnyForm;
  input: ComparedInput;
  description: OperationDescription;
}

/** All that it sent beside its row, so that nothing of the form's is sent in its place. */
function getDraft(
  { name, connectionId, request, extraBody, wireNames }: ComparedVariant,
  own: JsonObject,
  { form, input, description }: Panel,
): VariantDraft {
  const { promptField, settings, owned = [] } = input;
  const { model, ...sent } = request;
  const prompt = promptField?.read(sent) ?? null;
  const set = settings?.read(own, sent) ?? {};
  const chosen: JsonObject = {
    ...own,
    ...(prompt !== null && promptField?.write(own, prompt)),
    ...(Object.keys(set).length > 0 && settings?.write(own, set)),
  };
  const isKnown = new Set([...description.fields.map((field) => field.name), ...owned]);
  // What nothing in the panel sets any more is sent all the same.
  const others = Object.entries(sent).filter(
    ([field, value]) => !isKnown.has(field) && !isSameJson(value, chosen[field]),
  );
  const recorded = recordedSettings(description, {
    request,
    extraBody: { ...Object.fromEntries(others), ...extraBody },
    wireNames,
  });
  return {
    ...emptyVariant,
    ...{ name, connectionId, prompt, settings: set },
    models: typeof model === 'string' ? { [connectionId]: model } : {},
    ...settingsOver(form.state.getState().values, recorded, description),
  };
}
