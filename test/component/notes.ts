import { onTestFinished, vi } from 'vitest';
import { noteManager } from '../../renderer/ui/inline-note.ts';
import { toastManager } from '../../renderer/ui/show-toast.ts';

/** Returns a live list of the notes shown next to elements. */
export function recordNotes(): { text: unknown; element: Element | null }[] {
  const notes: { text: unknown; element: Element | null }[] = [];
  const { add } = noteManager;
  const spy = vi.spyOn(noteManager, 'add').mockImplementation((note) => {
    notes.push({ text: note.description, element: note.positionerProps?.anchor ?? null });
    return add(note);
  });
  onTestFinished(() => spy.mockRestore());
  return notes;
}

/** Returns a live list of toasts. */
export function recordToasts(): unknown[] {
  const toasts: unknown[] = [];
  const { add } = toastManager;
  const spy = vi.spyOn(toastManager, 'add').mockImplementation((toast) => {
    toasts.push(toast.data);
    return add(toast);
  });
  onTestFinished(() => spy.mockRestore());
  return toasts;
}
