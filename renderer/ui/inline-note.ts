import { Toast } from '@base-ui/react/toast';
import { showToast } from './show-toast.ts';

export const noteManager = Toast.createToastManager();

let shown: { id: string; element: Element } | null = null;

/** Shows what just happened at the element for two seconds: "Copied", "Download started". */
export function showInlineNote(element: Element, text: string): void {
  if (shown !== null) noteManager.close(shown.id);
  shown = null;
  // The menu item that was pressed is gone.
  if (element === document.body || !element.isConnected) {
    showToast({ message: text });
    return;
  }
  const id = noteManager.add({
    description: text,
    timeout: 2000,
    positionerProps: {
      anchor: element,
      side: 'bottom',
      sideOffset: 6,
      disableAnchorTracking: true,
    },
  });
  shown = { id, element };
}

/** Hides the note at the element, which no longer holds. */
export function clearInlineNote(element: Element): void {
  if (shown?.element !== element) return;
  noteManager.close(shown.id);
  shown = null;
}
