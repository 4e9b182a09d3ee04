/** Changes of a form that Undo reverts: only what they changed, and beside what was changed since. */

import type { FormValues } from '../../../shared/form.ts';
import { fieldsByName, groupFields } from '../../../shared/form-fields.ts';
import { isSameJson } from '../../../shared/json.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { offerUndo } from '../../lib/undo.ts';
import type { Form } from './form.ts';
import { mergeUndo } from './merge-undo.ts';
import { newerReplaced } from './undo-replacement.ts';

type AnyForm = Form<OperationName>;

/** What one change made of each field; undefined if the field was not set. */
type Change = Map<string, { before: unknown; after: unknown }>;

/** Of each form, the newest last. */
const undoable = new WeakMap<AnyForm, Change[]>();
const maxUndoable = 20;

interface UndoOptions {
  /** Undo is offered where something was lost that the user had set, or after any change at all. */
  after?: 'loss' | 'any change';
  /** Of the `UndoBars` that offer it; the form's ID unless given. */
  place?: string;
  /** How several of them read in one offer, with "#" for the count. */
  severalWords?: string | null;
  /** As an offer of Undo has it. */
  subject?: string;
}

/** Does `act`, which changes the form at once, and offers Undo. */
export function changeWithUndo(
  form: AnyForm,
  act: () => void,
  message: string,
  { place = form.id, ...options }: UndoOptions = {},
): void {
  // Of a variant, what follows its form follows it again.
  const written = form.variantOf ?? form;
  const before = written.state.getState().values;
  act();
  offerUndoSince(written, before, message, { ...options, place });
}

/** As `changeWithUndo`, where the form was changed already. */
export function offerUndoSince(
  form: AnyForm,
  before: FormValues<OperationName>,
  message: string,
  options: UndoOptions = {},
): void {
  const { after = 'loss', place = form.id, severalWords = null, subject } = options;
  const change = changeBetween(before, form.state.getState().values);
  if (change.size === 0 || (after === 'loss' && !losesAnything(form, change))) return;
  undoable.set(form, [...(undoable.get(form) ?? []), change].slice(-maxUndoable));
  offerUndo({
    message,
    place,
    undo: () => undoChange(form, change, place),
    subject,
    ...(severalWords !== null && { several: { words: severalWords } }),
  });
}

function changeBetween(one: FormValues<OperationName>, other: FormValues<OperationName>): Change {
  const before = new Map(fieldsByName(one));
  const after = new Map(fieldsByName(other));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !isSameJson(before.get(name), after.get(name)),
  );
  return new Map(
    changed.map((name) => [name, { before: before.get(name), after: after.get(name) }]),
  );
}

/** One click chooses these again: connection, model and the result that is shown. */
const cheap = /^(runId|source|comparisonId|comparing|repeats|connectionId|models\.|results\.)/;

function losesAnything({ operation }: AnyForm, change: Change): boolean {
  const empty = new Map(fieldsByName({ input: emptyInputs[operation] }));
  return [...change].some(
    ([name, { before }]) =>
      !cheap.test(name) && !isBlank(before) && !isSameJson(before, empty.get(name)),
  );
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Where the change cannot be separated from later edits of a text, Undo replaces those too, and offers to undo that. */
function undoChange(form: AnyForm, change: Change, place: string): void {
  const { values } = form.state.getState();
  const now = new Map(fieldsByName(values));
  const back = new Map(
    [...change].map(([name, { before, after }]) => [name, mergeUndo(before, after, now.get(name))]),
  );
  const replaced = replacedNames(change, back, now);
  for (const name of replaced) back.set(name, change.get(name)?.before);
  const named = [...back];
  const set = groupFields(named.filter(([, value]) => value !== undefined));
  const unset = named.flatMap(([name, value]) => (value === undefined ? [name] : []));
  form.change(set, { unset });
  rebaseLater(form, change);
  if (replaced.length > 0) {
    offerUndoSince(form, values, newerReplaced, { after: 'any change', place });
  }
}

/** A setting that was chosen since stays chosen, beside something else that is put back. */
const setting =
  /^((parameters|cleared|typed|models|wireNames|variants)\.|runId$|source$|comparisonId$|connectionId$)/;

/** The fields that `back` could not change and that are restored entirely, over newer changes. */
function replacedNames(
  change: Change,
  back: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): string[] {
  const left = [...change].filter(([name]) => isSameJson(back.get(name), now.get(name)));
  const stuck = left
    .filter(([, { before, after }]) => !isSameJson(before, after))
    .filter(([name, { before }]) => !isSameJson(before, now.get(name)))
    .map(([name]) => name);
  return left.length === change.size && stuck.every((name) => setting.test(name))
    ? stuck
    : stuck.filter((name) => !setting.test(name));
}

/** The changes after one that was undone are now changes of a form without it. */
function rebaseLater(form: AnyForm, undone: Change): void {
  const changes = undoable.get(form) ?? [];
  for (const later of changes.slice(changes.indexOf(undone) + 1)) {
    for (const [name, { before, after }] of undone) {
      const change = later.get(name);
      if (change === undefined) continue;
      later.set(name, {
        before: mergeUndo(before, after, change.before),
        after: mergeUndo(before, after, change.after),
      });
    }
  }
  undoable.set(
    form,
    changes.filter((change) => change !== undone),
  );
}
