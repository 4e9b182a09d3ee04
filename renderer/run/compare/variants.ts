import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { ComparedVariant } from '../../../shared/comparison.ts';
import type { VariantDraft } from '../../../shared/form.ts';
import { joinFieldName } from '../../../shared/form-fields.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getParam } from '../../../shared/param.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { changeWithUndo } from '../form/change-with-undo.ts';
import type { Form } from '../form/form.ts';
import { changePanelText } from '../form/panel-text.ts';
import { mergeSettings } from '../form/parameters.ts';
import { useForm } from '../form/use-form.ts';
import { type ComparedInput, joinPrompts, listRowInputs } from './compared-input.ts';
import { emptyVariant, getVariantForm } from './variant-form.ts';

type AnyForm = Form<OperationName>;

export interface ListedVariant extends VariantDraft {
  id: string;
}

export function getVariants(variants: Readonly<Record<string, VariantDraft>>): ListedVariant[] {
  return Object.entries(variants)
    .map(([id, draft]) => ({ id, ...draft }))
    .sort((one, other) => one.order - other.order || (one.id < other.id ? -1 : 1));
}

export function useVariants(form: AnyForm): ListedVariant[] {
  const variants = useForm(form, (values) => values.variants);
  return useMemo(() => getVariants(variants), [variants]);
}

export const MAX_VARIANTS = 100;

/** Returns why the variants can't be run; null if at least one is included. */
export function findVariantsProblem(
  variants: readonly Pick<VariantDraft, 'excluded'>[],
): string | null {
  if (variants.some(({ excluded }) => !excluded)) return null;
  return variants.length === 0 ? 'Add a variant first.' : 'Include a variant first.';
}

export function getVariantsUndoKey({ id }: AnyForm): string {
  return `variants of ${id}`;
}

/** Starts with a copy of the form, and a variant without a model whose editor opens. */
export function setComparing(
  form: AnyForm,
  comparing: boolean,
  connectionId: string | null = null,
): void {
  const { variants } = form.state.getState().values;
  if (!comparing || Object.keys(variants).length > 0) {
    form.change({ comparing });
    return;
  }
  const models: Record<string, string> = connectionId === null ? {} : { [connectionId]: '' };
  const started = toVariantList([emptyVariant, { ...emptyVariant, models }]);
  form.change({ comparing, variants: started });
  const [, second] = getVariants(started);
  if (second !== undefined && connectionId !== null) editVariant(second.id);
}

/** Returns true if an included variant inherits the form's connection or model. */
export function usesFormModel(
  variants: readonly Pick<VariantDraft, 'excluded' | 'connectionId' | 'models'>[],
  connectionId: string | null,
): boolean {
  return variants.some(
    ({ excluded, connectionId: ownId, models }) =>
      !excluded && models[ownId ?? connectionId ?? ''] === undefined,
  );
}

/** Compares the prompts as rows, with Undo for the texts that they replace. */
export function compareRows(form: AnyForm, prompts: readonly string[]): void {
  const [first = '', ...others] = prompts;
  setComparing(form, true);
  changePanelText(form, first, {
    message: `${pluralize(prompts.length, 'row')} inserted`,
    morePrompts: joinPrompts(others),
  });
}

export function changeVariant(
  form: AnyForm,
  id: string,
  change: Partial<VariantDraft>,
  options: { typing?: boolean } = {},
): void {
  const before = form.state.getState().values.variants[id];
  if (before === undefined) return;
  form.change({ variants: { [id]: { ...before, ...change } } }, options);
}

/** Makes the parameter inherit the form's value again. */
export function resetToForm(form: AnyForm, id: string, name: string): void {
  const { params } = form.state.getState().values.variants[id] ?? emptyVariant;
  const { as } = getParam(params, name);
  const { [name]: _, ...others } = params;
  changeVariant(form, id, { params: as === undefined ? others : { ...others, [name]: { as } } });
}

export function addVariant(form: AnyForm): string {
  const last = getCurrentVariants(form).at(-1);
  return duplicateVariant(form, last?.id ?? null);
}

/** Adds a copy of the variant, or of the form if `id` is null, and returns its ID. */
export function duplicateVariant(form: AnyForm, id: string | null): string {
  const all = getCurrentVariants(form);
  const at = all.findIndex((variant) => variant.id === id);
  const { id: _, ...draft } = all[at] ?? { id: '', ...emptyVariant };
  const added = crypto.randomUUID();
  const ordered = all.toSpliced(at + 1, 0, { ...draft, id: added, name: '' });
  writeOrder(form, ordered);
  return added;
}

export function removeVariant(form: AnyForm, id: string): void {
  const remove = () => form.change({}, { unset: [joinFieldName('variants', id)] });
  changeWithUndo(form, remove, 'Variant removed', {
    after: 'any change',
    place: getVariantsUndoKey(form),
    severalWords: '# variants removed',
  });
}

export function moveVariant(form: AnyForm, id: string, by: -1 | 1): void {
  const all = getCurrentVariants(form);
  const at = all.findIndex((variant) => variant.id === id);
  const moved = all[at];
  const to = at + by;
  if (moved === undefined || to < 0 || to >= all.length) return;
  writeOrder(form, all.toSpliced(at, 1).toSpliced(to, 0, moved));
}

export function fillVariants(
  form: AnyForm,
  drafts: readonly VariantDraft[],
  place: 'instead' | 'behind',
): void {
  const before = getCurrentVariants(form);
  const fill = () => {
    const unset = place === 'instead' ? before.map(({ id }) => joinFieldName('variants', id)) : [];
    const first = place === 'instead' ? 0 : (before.at(-1)?.order ?? -1) + 1;
    form.change({ variants: toVariantList(drafts, first) }, { unset });
  };
  const words = place === 'instead' ? 'Variants replaced' : 'Variants added';
  changeWithUndo(form, fill, words, { after: 'any change', place: getVariantsUndoKey(form) });
}

function getCurrentVariants(form: AnyForm): ListedVariant[] {
  return getVariants(form.state.getState().values.variants);
}

function toVariantList(drafts: readonly VariantDraft[], first = 0): Record<string, VariantDraft> {
  return Object.fromEntries(
    drafts.map((draft, at) => [crypto.randomUUID(), { ...draft, order: first + at }]),
  );
}

function writeOrder(form: AnyForm, ordered: readonly ListedVariant[]): void {
  const changed = ordered.flatMap(({ id, ...draft }, order): [string, VariantDraft][] => {
    const before = form.state.getState().values.variants[id];
    return before !== undefined && before.order === order ? [] : [[id, { ...draft, order }]];
  });
  form.change({ variants: Object.fromEntries(changed) });
}

/** Returns the number of rows per repeat. */
export function useRowCount(form: Form<OperationName>, input: ComparedInput): number {
  return useForm(form, ({ input: values, morePrompts }) =>
    input.promptField?.several === undefined
      ? 1
      : listRowInputs(input.own?.write(values) ?? {}, input, morePrompts).length,
  );
}

interface VariantEditors {
  shown: readonly string[];
  wanted: string | null;
}

const useEditors = create<VariantEditors>(() => ({ shown: [], wanted: null }));

export function editVariant(id: string): void {
  useEditors.setState({ wanted: id });
}

export function useIsEditable(id: string): boolean {
  return useEditors(({ shown }) => shown.includes(id));
}

export function useVariantEditor(id: string, open: () => void): void {
  const isWanted = useEditors(({ wanted }) => wanted === id);
  useEffect(() => {
    useEditors.setState(({ shown }) => ({ shown: [...shown, id] }));
    return () =>
      useEditors.setState(({ shown }) => ({ shown: shown.toSpliced(shown.indexOf(id), 1) }));
  }, [id]);
  useEffect(() => {
    if (!isWanted) return;
    useEditors.setState({ wanted: null });
    open();
  });
}

/** Copies the variant's settings to the form; all variants keep their settings. */
export function applyVariantToForm(
  form: Form<OperationName>,
  { id, connectionId, request }: ComparedVariant,
): void {
  const before = form.state.getState().values;
  const { variants } = before;
  const getSettledValues = (variantId: string) =>
    getVariantForm(form, variantId).state.getState().values;
  const adopted = variants[id] === undefined ? before : getSettledValues(id);
  const { params, extraBody } = adopted;
  const description = describeOperation(form.operation);
  const kept = Object.entries(variants).map(([variantId, draft]): [string, VariantDraft] => {
    const own = getSettledValues(variantId);
    const settings = mergeSettings(adopted, own, description);
    return [
      variantId,
      { ...draft, ...settings, connectionId: own.connectionId, models: own.models },
    ];
  });
  const unset = Object.keys(before.params).map((name) => joinFieldName('params', name));
  form.change(
    {
      connectionId,
      params,
      extraBody,
      ...(typeof request.model === 'string' && { models: { [connectionId]: request.model } }),
      variants: Object.fromEntries(kept),
    },
    { unset },
  );
}
