/** Undo of what was replaced as a whole: never over what was saved since without Undo of that in turn. */
import { isSameJson } from '../../../shared/json.ts';
import { offerUndo } from '../../lib/undo.ts';
import { mergeUndo } from './merge-undo.ts';

/** An Undo put something back over what had been made of it since. */
export const newerReplaced = 'Restored. Newer changes were replaced.';
/** An Undo put something back that had been deleted since. */
const madeAgain = 'Restored. It had been deleted since.';

interface Replacement<Value> {
  before: Value;
  after: Value;
  /** What there is when Undo is used; null if it was deleted since. */
  read: () => Promise<Value | null>;
  write: (value: Value) => Promise<unknown>;
  /** What Undo makes of a value that was changed since; all or nothing of `before` unless given. */
  merge?: (before: Value, after: Value, now: Value) => Value;
  /** Of the `UndoBars` that offer it. */
  place: string;
}

/** Offers Undo after `before` was replaced by `after`; only says so where they are equal. */
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
    offerUndo({ message: madeAgain, place, undo: null });
    return;
  }
  if (isSameJson(now, before)) return;
  const back = merge(before, after, now);
  const isStuck = isSameJson(back, now);
  await write(isStuck ? before : back);
  if (isStuck)
    offerUndoOfReplacement(newerReplaced, { ...replacement, before: now, after: before });
}
