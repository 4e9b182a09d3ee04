import type { ComparedVariant } from '../../../shared/comparison.ts';
import type { VariantDraft } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import type { Form } from '../form/form.ts';
import { draftOf } from '../form/parameters.ts';
import { variantForm } from './variant-form.ts';

/** The form becomes as the variant was sent; each variant stays what it is. */
export function adoptVariant(
  form: Form<OperationName>,
  { id, connectionId, request }: ComparedVariant,
): void {
  const before = form.state.getState().values;
  const { variants } = before;
  const settled = (variantId: string) => variantForm(form, variantId).state.getState().values;
  const adopted = variants[id] === undefined ? before : settled(id);
  const { parameters, cleared, typed, wireNames, extraBody } = adopted;
  const description = queryClient
    .getQueryData(orpc.system.describe.queryKey())
    ?.find(({ name }) => name === form.operation);
  const names = [parameters, typed, description?.draft ?? {}].flatMap(Object.keys);
  const kept = Object.entries(variants).map(([variantId, draft]): [string, VariantDraft] => {
    const own = settled(variantId);
    // With what a new form has set: the adopted one may have it otherwise.
    const sent = description === undefined ? own.parameters : draftOf(own, description).parameters;
    const isSet = (name: string) => name in sent || name in own.typed;
    const gone = names.filter((name) => !isSet(name)).map((name): [string, true] => [name, true]);
    return [
      variantId,
      {
        ...draft,
        ...{ connectionId: own.connectionId, models: own.models, parameters: sent },
        ...{ typed: own.typed, wireNames: own.wireNames, extraBody: own.extraBody },
        cleared: Object.fromEntries(gone),
      },
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
