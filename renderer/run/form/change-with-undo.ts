/** Changes of a form that Undo reverts: only what they changed, and beside what was changed since. */
import { fieldsByName, groupFields } from '../../../shared/form-fields.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { offerUndo } from '../../lib/undo.ts';
import { type Form, valuesOf } from './form.ts';
import type { FormValues } from './form-values.ts';
import { isSame, putBack } from './put-back.ts';

type AnyForm = Form<OperationName>;

/** What one change made of each field; undefined where the field was not set. */
type Change = Map<string, { before: unknown; after: unknown }>;

/** Of each form, the newest last. */
const undoable = new WeakMap<AnyForm, Change[]>();
const mostUndoable = 20;

/**
 * Does `act`, which changes the form at once, and offers Undo in the `UndoBars` with the form's id as their place:
 * where something was lost that the user had set, or after any change at all.
 */
export function changeWithUndo(
  form: AnyForm,
  act: () => void,
  message: string,
  after: 'loss' | 'any change' = 'loss',
): void {
  const before = form.state.getState().values;
  act();
  offerUndoSince(form, before, message, after);
}

/** As `changeWithUndo`, where the form was changed already. */
export function offerUndoSince(
  form: AnyForm,
  before: FormValues<OperationName>,
  message: string,
  after: 'loss' | 'any change' = 'loss',
): void {
  const change = changeBetween(before, form.state.getState().values);
  if (change.size === 0 || (after === 'loss' && !losesAnything(form, change))) return;
  undoable.set(form, [...(undoable.get(form) ?? []), change].slice(-mostUndoable));
  offerUndo({ message, place: form.id, undo: () => undoChange(form, change) });
}

function changeBetween(one: FormValues<OperationName>, other: FormValues<OperationName>): Change {
  const before = new Map(fieldsByName(one));
  const after = new Map(fieldsByName(other));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !isSame(before.get(name), after.get(name)),
  );
  return new Map(
    changed.map((name) => [name, { before: before.get(name), after: after.get(name) }]),
  );
}

/** What is shown and where it is sent is chosen again at a glance. */
const cheap = /^(runId|connectionId|models\.|results\.)/;

function losesAnything({ operation }: AnyForm, change: Change): boolean {
  const empty = new Map(fieldsByName({ input: emptyInputs[operation] }));
  return [...change].some(
    ([name, { before }]) =>
      !cheap.test(name) && !isBlank(before) && !isSame(before, empty.get(name)),
  );
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function undoChange(form: AnyForm, change: Change): void {
  const now = new Map(fieldsByName(form.state.getState().values));
  const set: [string, unknown][] = [];
  const unset: string[] = [];
  for (const [name, { before, after }] of change) {
    const value = putBack(before, after, now.get(name));
    if (value === undefined) unset.push(name);
    else set.push([name, value]);
  }
  const content = { operation: form.operation, fields: groupFields(set) };
  form.change(valuesOf(content, form.operation), { unset });
  rebaseLater(form, change);
}

/** The changes after one that was undone are now changes of a form without it. */
function rebaseLater(form: AnyForm, undone: Change): void {
  const changes = undoable.get(form) ?? [];
  for (const later of changes.slice(changes.indexOf(undone) + 1)) {
    for (const [name, { before, after }] of undone) {
      const change = later.get(name);
      if (change === undefined) continue;
      later.set(name, {
        before: putBack(before, after, change.before),
        after: putBack(before, after, change.after),
      });
    }
  }
  undoable.set(
    form,
    changes.filter((change) => change !== undone),
  );
}
