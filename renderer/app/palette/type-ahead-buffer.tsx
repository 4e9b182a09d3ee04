import { useLayoutEffect } from 'react';

let typed = '';
let entered = false;

/** Buffers keys that are typed while the palette is loading. */
export function TypeAheadBuffer({ onClose }: { onClose: () => void }) {
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent) => {
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (key === 'Escape') {
        takeBufferedText();
        onClose();
      }
      if (key === 'Enter') entered = true;
      else if (key === 'Backspace') typed = typed.slice(0, -1);
      else if (key.length === 1) typed += key;
    };
    window.addEventListener('keydown', hold, true);
    return () => window.removeEventListener('keydown', hold, true);
  }, [onClose]);
  return null;
}

/** Returns and clears the buffered text, and whether the user pressed Enter. */
export function takeBufferedText(): { text: string; isEntered: boolean } {
  const taken = { text: typed, isEntered: entered };
  typed = '';
  entered = false;
  return taken;
}
