/** Guards an item that takes the place of a deleted one against a second press. */
import { showInlineNote } from './inline-note.ts';

const momentMs = 1500;

let followed: { id: string; at: number } | null = null;

/** Registers the item that takes the place of a deleted one, or null if there is none. */
export function guardRepeatDelete(id: string | null): void {
  followed = id === null ? null : { id, at: Date.now() };
}

/** Returns whether Delete is meant for the item, and shows a note at the button if not. */
export function isIntentionalDelete(id: string, button: Element): boolean {
  if (followed?.id !== id || Date.now() - followed.at >= momentMs) return true;
  showInlineNote(button, 'This is a different item. Press again to delete it.');
  return false;
}
