/** Presents a variant as a form that inherits all fields it doesn't set. */
import type { FormFields, FormValues, VariantDraft } from '../../../shared/form.ts';
import { fieldName } from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form, FormState } from '../form/form.ts';

export const emptyVariant: VariantDraft = {
  order: 0,
  name: '',
  excluded: false,
  connectionId: null,
  models: {},
  parameters: {},
  cleared: {},
  typed: {},
  wireNames: {},
  extraBody: null,
  prompt: null,
  settings: {},
};

const known = new WeakMap<Form<OperationName>, Map<string, Form<OperationName>>>();

/** Returns the same object for the same form and ID. */
export function variantForm<Name extends OperationName>(
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
export function pickOwnParameters({ parameters, cleared, typed }: VariantDraft): Set<string> {
  return new Set([parameters, cleared, typed].flatMap(Object.keys));
}

/** Makes the parameter inherit the form's value again. */
export function resetToForm(form: Form<OperationName>, name: string): void {
  form.change({}, { unset: parameterGroups.map((group) => fieldName(group, name)) });
}

const parameterGroups = ['parameters', 'cleared', 'typed'] as const;

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
    const keeps = (...groups: (keyof FormValues<OperationName> & keyof VariantDraft)[]) =>
      before !== undefined &&
      groups.every((name) => before.from[name] === from[name] && before.own[name] === draft[name]);
    const names = pickOwnParameters(draft);
    const parameters = keeps('parameters', 'cleared', 'typed') ? before?.over : undefined;
    const models = keeps('models') ? before?.over.models : undefined;
    const wireNames = keeps('wireNames') ? before?.over.wireNames : undefined;
    const whole: FormValues<OperationName> = {
      ...from,
      parameters: parameters?.parameters ?? over(from.parameters, draft.parameters, names),
      cleared: parameters?.cleared ?? over(from.cleared, draft.cleared, names),
      typed: parameters?.typed ?? over(from.typed, draft.typed, names),
      models: models ?? { ...from.models, ...draft.models },
      wireNames: wireNames ?? { ...from.wireNames, ...draft.wireNames },
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

function over<Value>(
  from: Readonly<Record<string, Value>>,
  own: Readonly<Record<string, Value>>,
  ownNames: ReadonlySet<string>,
): Record<string, Value> {
  const followed = Object.entries(from).filter(([name]) => !ownNames.has(name));
  return { ...Object.fromEntries(followed), ...own };
}

function applyChanges(
  own: VariantDraft,
  values: FormFields<OperationName>,
  unset: readonly string[],
): VariantDraft {
  const gone = new Set(unset);
  const group = <Value>(
    name: 'parameters' | 'cleared' | 'typed' | 'models' | 'wireNames',
    some: Readonly<Record<string, Value>> | undefined,
    before: Readonly<Record<string, Value>>,
  ) => ({
    ...Object.fromEntries(
      Object.entries(before).filter(([key]) => !gone.has(fieldName(name, key))),
    ),
    ...some,
  });
  // Setting a parameter also removes its cleared flag.
  for (const name of Object.keys(values.parameters ?? {})) gone.add(fieldName('cleared', name));
  return {
    ...own,
    connectionId: values.connectionId === undefined ? own.connectionId : values.connectionId,
    models: group('models', values.models, own.models),
    parameters: group('parameters', values.parameters, own.parameters),
    cleared: group('cleared', values.cleared, own.cleared),
    typed: group('typed', values.typed, own.typed),
    wireNames: group('wireNames', values.wireNames, own.wireNames),
    extraBody: values.extraBody ?? (gone.has('extraBody') ? null : own.extraBody),
  };
}
