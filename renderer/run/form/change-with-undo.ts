/** Undoes replaced form values without losing later edits. */
import type { FormValues } from '../../../shared/form.ts';
import { groupFields, joinFieldName, listFieldsByName } from '../../../shared/form-fields.ts';
import { isSameJson } from '../../../shared/json.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import {
  getParamState,
  hasParamState,
  isEmptyParam,
  mergeParam,
  type Param,
  paramSchema,
} from '../../../shared/param.ts';
import { offerUndo } from '../../lib/undo.ts';
import type { Form } from './form.ts';
import { mergeUndo } from './merge-undo.ts';

type AnyForm = Form<OperationName>;
/** Maps fields to their previous values; undefined means the field was unset. */
type Change = ReadonlyMap<string, { before: unknown; after: unknown }>;

const newerReplaced = 'Restored. Newer changes were overwritten.';
const restoredDeleted = 'Restored (it was deleted in the meantime).';

interface UndoOptions {
  /** With `loss`, Undo is offered only if the change discarded a value that the user entered. */
  after?: 'loss' | 'any change';
  /** The `UndoBars` that show the offer; defaults to the form's ID. */
  place?: string;
  /** The message for combined offers, with "#" for the count. */
  severalWords?: string | null;
  /** Undoes a change outside the form; null if there is none. */
  also?: (() => unknown) | null;
}

/** Calls `act`, which changes the form synchronously, and offers Undo. */
export function changeWithUndo(
  form: AnyForm,
  act: () => void,
  message: string,
  { place = form.id, ...options }: UndoOptions = {},
): void {
  const written = form.variantOf ?? form;
  const before = written.state.getState().values;
  act();
  offerUndoSince(written, before, message, { ...options, place });
}

/** Adds an item from another panel; `known` is shown if the form already has the item. */
export function receiveItem(
  form: AnyForm,
  known: string | null,
  act: () => void,
  message: string,
): true {
  if (known === null) changeWithUndo(form, act, message, { after: 'any change' });
  else offerUndo({ message: known, place: form.id, undo: null });
  return true;
}

/** Offers Undo for a form that has already changed. */
export function offerUndoSince(
  form: AnyForm,
  before: FormValues<OperationName>,
  message: string,
  { after = 'loss', place = form.id, severalWords = null, also = null }: UndoOptions = {},
): void {
  const change = getChange(before, form.state.getState().values);
  const isKept = change.size === 0 || (after === 'loss' && !losesAnything(form, change));
  if (isKept && also === null) return;
  offerUndo({
    message,
    place,
    undo: () => {
      undoChange(form, change, place);
      return also?.();
    },
    ...(severalWords !== null && { several: { words: severalWords } }),
  });
}

function getChange(one: FormValues<OperationName>, other: FormValues<OperationName>): Change {
  const [before, after] = [listParts(one), listParts(other)];
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !isSameJson(before.get(name), after.get(name)),
  );
  return new Map(
    changed.map((name) => [name, { before: before.get(name), after: after.get(name) }]),
  );
}

/** Lists fields; a parameter's API field name is a separate part, named `as.<name>`. */
function listParts({ params, ...values }: FormValues<OperationName>): Map<string, unknown> {
  const parts = Object.entries(params).flatMap(([name, param]): [string, unknown][] => [
    [joinFieldName('params', name), hasParamState(param) ? getParamState(param) : undefined],
    [`as.${name}`, param.as],
  ]);
  return new Map([...listFieldsByName(values), ...parts.filter(([, part]) => part !== undefined)]);
}

/** Returns the fields of the parts; a parameter keeps a part that isn't among them. */
function joinParts(parts: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>) {
  const all = new Map([...now, ...parts]);
  const fields = [...parts.keys()].map((part): [string, unknown] => {
    const [, name] = PARAM_PART.exec(part) ?? [];
    if (name === undefined) return [part, all.get(part)];
    const field = joinFieldName('params', name);
    const as = all.get(`as.${name}`);
    const param = mergeParam(readParam(all.get(field)), typeof as === 'string' ? { as } : {});
    return [field, isEmptyParam(param) ? undefined : param];
  });
  return new Map(fields);
}

const PARAM_PART = /^(?:params|as)\.(.*)$/s;

function readParam(value: unknown): Param {
  return paramSchema.catch({}).parse(value);
}

/** Fields that the user can restore with one click, such as the shown result. */
const cheap =
  /^(runId|source|comparisonId|comparing|blind|repeats|connectionId|models\.|results\.)/;

function losesAnything({ operation }: AnyForm, change: Change): boolean {
  const empty = new Map(listFieldsByName({ input: emptyInputs[operation] }));
  return [...change].some(
    ([name, { before }]) =>
      !cheap.test(name) &&
      !isBlank(getContent(name, before)) &&
      !isSameJson(before, empty.get(name)),
  );
}

function getContent(name: string, part: unknown): unknown {
  if (!name.startsWith('params.')) return part;
  const { value, text, off } = readParam(part);
  return text ?? value ?? off;
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Undo overwrites later edits that can't be merged, and then offers to undo that. */
function undoChange(form: AnyForm, change: Change, place: string): void {
  const { values } = form.state.getState();
  const now = listParts(values);
  const restored = new Map(
    [...change].map(([name, { before, after }]) => [name, mergeUndo(before, after, now.get(name))]),
  );
  const replaced = listReplaced(change, restored, now);
  for (const name of replaced) restored.set(name, change.get(name)?.before);
  const fields = joinParts(restored, now);
  form.change(groupFields([...fields].filter(([, value]) => value !== undefined)), {
    unset: [...fields.keys()],
  });
  if (replaced.length > 0) {
    offerUndoSince(form, values, newerReplaced, { after: 'any change', place });
  }
}

/** Keep settings that were changed later, as long as Undo can restore something else. */
const setting = /^((params|as|models|variants)\.|runId$|source$|comparisonId$|connectionId$)/;

/** Returns fields that can't be merged, whose later changes Undo would overwrite. */
function listReplaced(
  change: Change,
  restored: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): string[] {
  const unchanged = [...change].filter(([name]) => isSameJson(restored.get(name), now.get(name)));
  const stuck = unchanged
    .filter(([name, { before }]) => !isSameJson(before, now.get(name)))
    .map(([name]) => name);
  return unchanged.length === change.size && stuck.every((name) => setting.test(name))
    ? stuck
    : stuck.filter((name) => !setting.test(name));
}

interface Replacement<Value> {
  before: Value;
  after: Value;
  /** Returns the current value; null if it has since been deleted. */
  read: () => Promise<Value | null>;
  write: (value: Value) => Promise<unknown>;
  /** Merges later changes; by default, a three-way merge of the whole value. */
  merge?: (before: Value, after: Value, now: Value) => Value;
  place: string;
}

/** Offers Undo for a replaced saved value, or only shows a notice if nothing changed. */
export function offerUndoOfReplacement<Value>(
  message: string,
  replacement: Replacement<Value>,
): void {
  const { before, after, place } = replacement;
  const undo = isSameJson(before, after) ? null : () => undoReplacement(replacement);
  offerUndo({ message, place, undo });
}

async function undoReplacement<Value>(replacement: Replacement<Value>): Promise<void> {
  const { before, after, read, write, merge = mergeUndo<Value>, place } = replacement;
  const now = await read();
  if (now === null) {
    await write(before);
    offerUndo({ message: restoredDeleted, place, undo: null });
    return;
  }
  if (isSameJson(now, before)) return;
  const merged = merge(before, after, now);
  const isStuck = isSameJson(merged, now);
  await write(isStuck ? before : merged);
  if (isStuck) {
    offerUndoOfReplacement(newerReplaced, { ...replacement, before: now, after: before });
  }
}
