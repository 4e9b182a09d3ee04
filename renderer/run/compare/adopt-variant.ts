import type { ComparedVariant } from '../../../shared/comparison.ts';
import type { VariantDraft } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from '../form/form.ts';
import { settingsOver } from '../form/parameters.ts';
import { variantForm } from './variant-form.ts';

/** The form becomes as the variant was sent; each variant stays what it is. */
export function applyVariantToForm(
  form: Form<OperationName>,
  { id, connectionId, request }: ComparedVariant,
): void {
  const before = form.state.getState().values;
  const { variants } = before;
  const settled = (variantId: string) => variantForm(form, variantId).state.getState().values;
  const adopted = variants[id] === undefined ? before : settled(id);
  const { parameters, cleared, typed, wireNames, extraBody } = adopted;
  const description = describeOperation(form.operation);
  const kept = Object.entries(variants).map(([variantId, draft]): [string, VariantDraft] => {
    const own = settled(variantId);
    const settings = settingsOver(adopted, own, description);
    return [
      variantId,
      { ...draft, ...settings, connectionId: own.connectionId, models: own.models },
    ];
  });
  const unset = (['parameters', 'cleared', 'typed'] as const).flatMap((group) =>
    Object.keys(before[group]).map((name) => fieldName(group, name)),
  );
  form.change(
    {
      ...{ connectionId, parameters, cleared, typed, wireNames, extraBody },
      ...(typeof request.model === 'string' && { models: { [connectionId]: request.model } }),
      variants: Object.fromEntries(kept),
    },
    { unset },
  );
}
