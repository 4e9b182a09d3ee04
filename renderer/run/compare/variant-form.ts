/** Presents a variant as a form that inherits all fields it doesn't set. */
import type { FormFields, FormValues, VariantDraft } from '../../../shared/form.ts';
import { joinFieldName } from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { changeParams, getParam, hasParamState, mergeParams } from '../../../shared/param.ts';
import type { Form, FormState } from '../form/form.ts';

export const emptyVariant: VariantDraft = {
  order: 0,
  name: '',
  excluded: false,
  connectionId: null,
  models: {},
  params: {},
  extraBody: null,
  prompt: null,
  settings: {},
};

const known = new WeakMap<Form<OperationName>, Map<string, Form<OperationName>>>();

/** Returns the same object for the same form and ID. */
export function getVariantForm<Name extends OperationName>(
  base: Form<Name>,
  variantId: string,
): Form<OperationName> {
  const forms = known.get(base) ?? new Map<string, Form<OperationName>>();
  known.set(base, forms);
  const form = forms.get(variantId) ?? createVariantForm(base, variantId);
  forms.set(variantId, form);
  return form;
}

/** Lists the parameters that the variant sets or clears. */
export function pickOwnParameters({ params }: Pick<VariantDraft, 'params'>): Set<string> {
  return new Set(Object.keys(params).filter((name) => hasParamState(getParam(params, name))));
}

function createVariantForm(base: Form<OperationName>, variantId: string): Form<OperationName> {
  const derived = new WeakMap<object, FormState<OperationName>>();
  let last: Last | undefined;

  const own = () => base.state.getState().values.variants[variantId] ?? emptyVariant;

  function read(state: FormState<OperationName>): FormState<OperationName> {
    const before = derived.get(state);
    if (before !== undefined) return before;
    const now = { ...state, values: overlaid(state.values) };
    derived.set(state, now);
    return now;
  }

  /** Unchanged groups keep their identity, so that components don't re-render. */
  function overlaid(from: FormValues<OperationName>): FormValues<OperationName> {
    const draft = from.variants[variantId] ?? emptyVariant;
    const before = last;
    const getKept = <Group extends 'params' | 'models'>(group: Group) =>
      before?.from[group] === from[group] && before.own[group] === draft[group]
        ? before.over[group]
        : null;
    const whole: FormValues<OperationName> = {
      ...from,
      params: getKept('params') ?? mergeParams(from.params, draft.params),
      models: getKept('models') ?? { ...from.models, ...draft.models },
      extraBody: draft.extraBody ?? from.extraBody,
      connectionId: draft.connectionId ?? from.connectionId,
    };
    last = { from, own: draft, over: whole };
    return whole;
  }

  const { state } = base;
  return {
    id: `${base.id} variant ${variantId}`,
    operation: base.operation,
    choosesConnection: 'of its own',
    variantOf: base,
    state: {
      getState: () => read(state.getState()),
      getInitialState: () => read(state.getInitialState()),
      subscribe: (listener) => state.subscribe((now, before) => listener(read(now), read(before))),
    },
    load: base.load,
    retry: base.retry,
    change(values, { unset = [], typing = false } = {}) {
      base.change({ variants: { [variantId]: applyChanges(own(), values, unset) } }, { typing });
    },
  };
}

interface Last {
  from: FormValues<OperationName>;
  own: VariantDraft;
  over: FormValues<OperationName>;
}

function applyChanges(
  own: VariantDraft,
  values: FormFields<OperationName>,
  unset: readonly string[],
): VariantDraft {
  const models = Object.entries(own.models).filter(
    ([id]) => !unset.includes(joinFieldName('models', id)),
  );
  return {
    ...own,
    connectionId: values.connectionId === undefined ? own.connectionId : values.connectionId,
    models: { ...Object.fromEntries(models), ...values.models },
    params: changeParams(own.params, values.params ?? {}, unset),
    extraBody: values.extraBody ?? (unset.includes('extraBody') ? null : own.extraBody),
  };
}
