/** A second press at the same place that follows too soon is not meant for what a deletion has put there. */
import { showInlineNote } from './inline-note.ts';

const momentMs = 1500;

let followed: { id: string; at: number } | null = null;

/** A deletion shows `id` in place of what was deleted; null: nothing. */
export function guardRepeatDelete(id: string | null): void {
  followed = id === null ? null : { id, at: Date.now() };
}

/** Whether Delete, pressed at `button`, is meant for `id`; says so there where it is too soon to be. */
export function isIntentionalDelete(id: string, button: Element): boolean {
  if (followed?.id !== id || Date.now() - followed.at >= momentMs) return true;
  showInlineNote(button, 'This is the next item. Press again to delete it.');
  return false;
}
