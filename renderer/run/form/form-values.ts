/** What a form holds, as the page has it, and changes to it: pure. */
import type { InputOf, VariantDraft } from '../../../shared/form.ts';
import { type FieldGroup, fieldName, fieldsByName } from '../../../shared/form-fields.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { UnsavedEdit } from '../../../shared/operations/chat/input.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';

type Texts = Readonly<Record<string, string>>;
type Edits = Readonly<Record<string, UnsavedEdit>>;
/** A text, and the run that brought it. */
export interface TextSource {
  runId: string;
  text: string;
}
type Variants = Readonly<Record<string, VariantDraft>>;

/** Some of the fields, one by one; `shared/form.ts` says what each group holds. */
export interface PartialFormValues<Name extends OperationName> {
  input?: Partial<InputOf<Name>> | undefined;
  parameters?: JsonObject | undefined;
  cleared?: Readonly<Record<string, true>> | undefined;
  typed?: Texts | undefined;
  models?: Texts | undefined;
  wireNames?: Texts | undefined;
  results?: Texts | undefined;
  edits?: Edits | undefined;
  variants?: Variants | undefined;
  extraBody?: string | undefined;
  comparing?: boolean | undefined;
  repeats?: number | undefined;
  wordings?: string | undefined;
  comparisonId?: string | null | undefined;
  source?: TextSource | null | undefined;
  runId?: string | null | undefined;
  connectionId?: string | null | undefined;
}

/** All of them; unset ones are empty. */
export interface FormValues<Name extends OperationName> extends PartialFormValues<Name> {
  input: InputOf<Name>;
  parameters: JsonObject;
  cleared: Readonly<Record<string, true>>;
  typed: Texts;
  models: Texts;
  wireNames: Texts;
  results: Texts;
  edits: Edits;
  variants: Variants;
  extraBody: string;
  comparing: boolean;
  repeats: number;
  wordings: string;
  comparisonId: string | null;
  source: TextSource | null;
  runId: string | null;
  connectionId: string | null;
}

export interface ValueChange<Name extends OperationName> {
  values: PartialFormValues<Name>;
  /** Taken out before the values are set. Names as `fieldName` makes them; not of the input, which is set instead. */
  unset: readonly string[];
}

export const emptyChange = { values: {}, unset: [] };

export function emptyValues<Name extends OperationName>(operation: Name): FormValues<Name> {
  return {
    input: emptyInputs[operation],
    parameters: {},
    cleared: {},
    typed: {},
    models: {},
    wireNames: {},
    results: {},
    edits: {},
    variants: {},
    extraBody: '',
    comparing: false,
    repeats: 1,
    wordings: '',
    comparisonId: null,
    source: null,
    runId: null,
    connectionId: null,
  };
}

export function getNames(values: PartialFormValues<OperationName>): string[] {
  return fieldsByName(values).map(([name]) => name);
}

export function isNoChange({ values, unset }: ValueChange<OperationName>): boolean {
  return unset.length === 0 && getNames(values).length === 0;
}

/** Groups that nothing is set in stay the same objects. */
export function withValues<Name extends OperationName, Values extends PartialFormValues<Name>>(
  values: Values,
  some: PartialFormValues<Name>,
): Values {
  return {
    ...values,
    input: merged(values.input, some.input),
    parameters: merged(values.parameters, some.parameters),
    cleared: merged(values.cleared, some.cleared),
    typed: merged(values.typed, some.typed),
    models: merged(values.models, some.models),
    wireNames: merged(values.wireNames, some.wireNames),
    results: merged(values.results, some.results),
    edits: merged(values.edits, some.edits),
    variants: merged(values.variants, some.variants),
    extraBody: some.extraBody ?? values.extraBody,
    comparing: some.comparing ?? values.comparing,
    repeats: some.repeats ?? values.repeats,
    wordings: some.wordings ?? values.wordings,
    comparisonId: some.comparisonId === undefined ? values.comparisonId : some.comparisonId,
    source: some.source === undefined ? values.source : some.source,
    runId: some.runId === undefined ? values.runId : some.runId,
    connectionId: some.connectionId === undefined ? values.connectionId : some.connectionId,
  };
}

/** All but the input and the lone fields can be unset. */
function canBeUnset(name: string): boolean {
  return name.includes('.') && !name.startsWith('input.');
}

/** The same object where nothing is removed, as are its groups. */
export function withoutNames<Values extends PartialFormValues<OperationName>>(
  values: Values,
  names: ReadonlySet<string>,
): Values {
  if (!getNames(values).some((name) => canBeUnset(name) && names.has(name))) return values;
  return {
    ...values,
    parameters: without('parameters', values.parameters, names),
    cleared: without('cleared', values.cleared, names),
    typed: without('typed', values.typed, names),
    models: without('models', values.models, names),
    wireNames: without('wireNames', values.wireNames, names),
    results: without('results', values.results, names),
    edits: without('edits', values.edits, names),
    variants: without('variants', values.variants, names),
  };
}

export function withChange<Name extends OperationName>(
  values: FormValues<Name>,
  change: ValueChange<Name>,
): FormValues<Name> {
  return withValues<Name, FormValues<Name>>(
    withoutNames(values, new Set(change.unset)),
    change.values,
  );
}

/** Both, the second one after the first. */
export function joinChanges<Name extends OperationName>(
  first: ValueChange<Name>,
  second: ValueChange<Name>,
): ValueChange<Name> {
  const set = new Set(getNames(second.values));
  const unset = new Set([...first.unset, ...second.unset].filter((name) => !set.has(name)));
  return {
    values: withValues<Name, PartialFormValues<Name>>(
      withoutNames(first.values, unset),
      second.values,
    ),
    unset: [...unset],
  };
}

function merged<Group extends object>(
  group: Group | undefined,
  some: Partial<Group> | undefined,
): Group | Partial<Group> | undefined {
  if (some === undefined || Object.keys(some).length === 0) return group;
  return { ...group, ...some };
}

function without<Value>(
  group: FieldGroup,
  values: Readonly<Record<string, Value>> | undefined,
  names: ReadonlySet<string>,
): Record<string, Value> | undefined {
  if (values === undefined) return undefined;
  const kept = Object.entries(values).filter(([name]) => !names.has(fieldName(group, name)));
  return kept.length === Object.keys(values).length ? values : Object.fromEntries(kept);
}
