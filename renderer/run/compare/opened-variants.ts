/** The variants of a comparison as they were chosen: the reverse of what `planComparison` makes of a form. */
import type { ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { VariantDraft } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { changeWithUndo } from '../form/change-with-undo.ts';
import { withoutFields } from '../form/describe.ts';
import type { Form } from '../form/form.ts';
import { recordedSettings, settingsOver } from '../form/parameters.ts';
import type { ComparedInput } from './compared-input.ts';
import { emptyVariant } from './variant-form.ts';
import { variantsOf } from './variants.ts';

type AnyForm = Form<OperationName>;

/** In place of the form's, unless the form still has them, changed or not. */
export async function bringVariants(
  form: AnyForm,
  input: ComparedInput,
  { variants, rows, repeats }: Comparison,
): Promise<void> {
  const description = await descriptionOf(form, input);
  const known = form.state.getState().values.variants;
  if (description === null || variants.every(({ id }) => Object.hasOwn(known, id))) return;
  const own = rows[0]?.request ?? {};
  const drafts = variants.map((variant, order): [string, VariantDraft] => [
    variant.id,
    { ...draftOf(variant, own, { form, input, description }), order },
  ]);
  const unset = Object.keys(known).map((id) => fieldName('variants', id));
  const replace = () => form.change({ variants: Object.fromEntries(drafts), repeats }, { unset });
  if (unset.length === 0) replace();
  else changeWithUndo(form, replace, 'Variants replaced', { after: 'any change' });
}

/** One that the form no longer has, as it was sent last and behind the others. */
export async function restoreVariant(
  form: AnyForm,
  input: ComparedInput,
  variant: ComparedVariant,
  { rows }: Pick<Comparison, 'rows'>,
): Promise<void> {
  const description = await descriptionOf(form, input);
  const known = form.state.getState().values.variants;
  if (description === null || Object.hasOwn(known, variant.id)) return;
  const draft = draftOf(variant, rows[0]?.request ?? {}, { form, input, description });
  const order = (variantsOf(known).at(-1)?.order ?? -1) + 1;
  form.change({ variants: { [variant.id]: { ...draft, order } } });
}

/** Without the fields that the panel sets itself; null where the operation is not described. */
async function descriptionOf(
  { operation }: AnyForm,
  { owned = [] }: ComparedInput,
): Promise<OperationDescription | null> {
  const descriptions = await queryClient.ensureQueryData(orpc.system.describe.queryOptions());
  const whole = descriptions.find(({ name }) => name === operation);
  return whole === undefined ? null : withoutFields(whole, owned);
}

interface Panel {
  form: AnyForm;
  input: ComparedInput;
  description: OperationDescription;
}

/** All that it sent beside its row, so that nothing of the form's is sent in its place. */
function draftOf(
  { name, connectionId, request, extraBody, wireNames }: ComparedVariant,
  own: JsonObject,
  { form, input, description }: Panel,
): VariantDraft {
  const { word, settings, owned = [] } = input;
  const { model, ...sent } = request;
  const wording = word?.read(sent) ?? null;
  const set = settings?.read(own, sent) ?? {};
  const chosen: JsonObject = {
    ...own,
    ...(wording !== null && word?.write(own, wording)),
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
    ...{ name, connectionId, wording, settings: set },
    models: typeof model === 'string' ? { [connectionId]: model } : {},
    ...settingsOver(form.state.getState().values, recorded, description),
  };
}
