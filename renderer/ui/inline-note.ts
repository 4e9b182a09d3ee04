import { Toast } from '@base-ui/react/toast';
import { showToast } from './show-toast.ts';

export const noteManager = Toast.createToastManager();

let shown: { id: string; element: Element } | null = null;

/** Shows a result such as "Copied" or "Download started" next to the element for two seconds. */
export function showInlineNote(element: Element, text: string): void {
  if (shown !== null) noteManager.close(shown.id);
  shown = null;
  // The clicked menu item is gone, so show a toast instead.
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

/** Hides the previous note on the element. */
export function clearInlineNote(element: Element): void {
  if (shown?.element !== element) return;
  noteManager.close(shown.id);
  shown = null;
}
