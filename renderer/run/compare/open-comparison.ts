import type { ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { VariantDraft } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api, orpc } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { navigate } from '../../lib/route.ts';
import { changeWithUndo } from '../form/change-with-undo.ts';
import type { Form } from '../form/form.ts';
import { conversationForm, panelForms } from '../form/panel-forms.ts';
import { emptyVariant } from './variant-form.ts';

type AnyForm = Form<OperationName>;

/** Shows the comparison in its panel with its variants; what the user has written there stays. */
export async function openComparison(id: string): Promise<void> {
  const [{ comparison }, descriptions] = await Promise.all([
    api.comparisons.get({ id }),
    queryClient.ensureQueryData(orpc.system.describe.queryOptions()),
  ]);
  const { operation, conversationId } = comparison;
  const form: AnyForm =
    conversationId === null ? panelForms[operation] : conversationForm(conversationId);
  // Otherwise main's older fields would return.
  await form.retry();
  const description = descriptions.find(({ name }) => name === operation);
  if (description !== undefined) bringVariants(form, description, comparison);
  form.change({ comparing: true, comparisonId: id });
  navigate(operation, conversationId);
}

/** Those of the comparison in place of the form's, unless the form still has them, changed or not. */
function bringVariants(
  form: AnyForm,
  description: OperationDescription,
  { variants, repeats }: Comparison,
): void {
  const known = form.state.getState().values.variants;
  if (variants.every(({ id }) => Object.hasOwn(known, id))) return;
  const drafts = variants.map((variant, order): [string, VariantDraft] => [
    variant.id,
    { ...draftOf(variant, form, description), order },
  ]);
  const unset = Object.keys(known).map((id) => fieldName('variants', id));
  const replace = () => form.change({ variants: Object.fromEntries(drafts), repeats }, { unset });
  if (unset.length === 0) replace();
  else changeWithUndo(form, replace, 'Variants replaced', { after: 'any change' });
}

/** All that it sent, so that nothing of the form's is sent in its place. */
function draftOf(
  { name, connectionId, request, extraBody, wireNames }: ComparedVariant,
  form: AnyForm,
  { fields, draft }: OperationDescription,
): VariantDraft {
  const { model, ...sent } = request;
  const { parameters: ofForm, typed } = form.state.getState().values;
  const hasControl = new Set(fields.map((field) => field.name));
  const parameters = Object.entries(sent).filter(([field]) => hasControl.has(field));
  const ofPanel = Object.entries(sent).filter(([field]) => !hasControl.has(field));
  const wording = ofPanel.find(([, value]) => typeof value === 'string')?.[1];
  // The panel's own settings are sent as they were, too.
  const extra = {
    ...extraBody,
    ...Object.fromEntries(ofPanel.filter(([, value]) => typeof value !== 'string')),
  };
  const cleared = [draft, ofForm, typed]
    .flatMap(Object.keys)
    .filter((field) => !Object.hasOwn(sent, field));
  return {
    ...emptyVariant,
    ...{ name, connectionId, wireNames },
    models: typeof model === 'string' ? { [connectionId]: model } : {},
    parameters: Object.fromEntries(parameters),
    cleared: Object.fromEntries(cleared.map((field) => [field, true as const])),
    extraBody: Object.keys(extra).length === 0 ? '' : JSON.stringify(extra, null, 2),
    wording: typeof wording === 'string' ? wording : null,
  };
}
