/** Ignores clicks and keys that weren't meant for the control that would get them. */
import type { BaseUIEvent } from '@base-ui/react/types';
import type { KeyboardEvent as ReactKeyboardEvent } from 'react';
import { showInlineNote } from './inline-note.ts';

const CONTROL = 'button, a[href], [role="button"], [role="menuitem"], [role="option"]';
const ACTING_KEYS = new Set(['Enter', ' ', 'Delete', 'Backspace']);

/**
 * Ignores repeat clicks if the control changed, and held keys if focus moved. Returns a cleanup.
 */
export function guardRepeatedPresses(): () => void {
  let clickedName: string | null = null;
  let pressedOn: EventTarget | null = null;
  const onClick = (event: MouseEvent) => {
    const control = event.target instanceof Element ? event.target.closest(CONTROL) : null;
    const name = control === null ? null : getName(control);
    // `detail` is the number of clicks in a row: 0 for the keyboard and 1 for a first click.
    if (event.detail <= 1) clickedName = name;
    else if (control !== null && name !== clickedName) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.repeat) pressedOn = event.target;
    else if (event.target !== pressedOn && ACTING_KEYS.has(event.key)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  document.addEventListener('click', onClick, true);
  document.addEventListener('keydown', onKeyDown, true);
  return () => {
    document.removeEventListener('click', onClick, true);
    document.removeEventListener('keydown', onKeyDown, true);
  };
}

/** Ignores the browser's undo of a field without focus, such as one behind a dialog. Returns a cleanup. */
export function guardUndo(): () => void {
  // https://w3c.github.io/input-events/#interface-InputEvent-Attributes: a page has one history of all fields.
  const onBeforeInput = (event: InputEvent) => {
    const isHistory = event.inputType === 'historyUndo' || event.inputType === 'historyRedo';
    if (isHistory && event.target !== document.activeElement) event.preventDefault();
  };
  document.addEventListener('beforeinput', onBeforeInput, true);
  return () => document.removeEventListener('beforeinput', onBeforeInput, true);
}

/** Leaves Mod+Enter to shortcuts, because Base UI would activate the control. */
export function leaveToShortcuts(event: BaseUIEvent<ReactKeyboardEvent>): void {
  if (event.ctrlKey || event.metaKey) event.preventBaseUIHandler();
}

function getName(control: Element): string {
  return control.getAttribute('aria-label') ?? control.textContent;
}

const SHORT_WHILE_MS = 1500;
let next: { id: string; shownAt: number } | null = null;

/** Registers the item that takes a deleted item's place, or null if there is none. */
export function guardNextDelete(id: string | null): void {
  next = id === null ? null : { id, shownAt: Date.now() };
}

/** Returns true if the Delete key was meant for this item; otherwise shows a note on the button. */
export function guardDelete(id: string, button: Element): boolean {
  if (next?.id !== id || Date.now() - next.shownAt >= SHORT_WHILE_MS) return true;
  showInlineNote(button, 'This is a different item. Press again to delete it.');
  return false;
}
