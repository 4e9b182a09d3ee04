export interface Note {
  text: string;
  element: Element;
}

export const noteEvent = 'gatehouse-note';

declare global {
  interface DocumentEventMap {
    [noteEvent]: CustomEvent<Note>;
  }
}

/** Says for two seconds at `element` what was just done there: "Copied", "Saved", "Download started". */
export function showInlineNote(element: Element, text: string): void {
  document.dispatchEvent(new CustomEvent<Note>(noteEvent, { detail: { element, text } }));
}

/** What was shown at `element` no longer holds. */
export function clearInlineNote(element: Element): void {
  showInlineNote(element, '');
}
