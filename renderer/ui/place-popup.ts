export interface Placement {
  align: 'start' | 'end';
  /** At least as wide as the anchor. */
  matchWidth: boolean;
}

const gap = 4;
const edge = 8;

/** Below the anchor, above it where there is more room, always inside the window. */
export function placePopup(popup: HTMLElement, anchor: DOMRect, placement: Placement): void {
  popup.style.minWidth = placement.matchWidth ? `${anchor.width}px` : '';
  popup.style.maxWidth = `${window.innerWidth - 2 * edge}px`;
  popup.style.maxHeight = '';
  const { width, height } = popup.getBoundingClientRect();
  const roomBelow = window.innerHeight - anchor.bottom - gap - edge;
  const roomAbove = anchor.top - gap - edge;
  const below = height <= roomBelow || roomBelow >= roomAbove;
  const shownHeight = Math.min(height, 360, below ? roomBelow : roomAbove);
  popup.style.maxHeight = `${shownHeight}px`;
  popup.style.top = `${below ? anchor.bottom + gap : anchor.top - gap - shownHeight}px`;
  const left = placement.align === 'start' ? anchor.left : anchor.right - width;
  popup.style.left = `${Math.min(Math.max(edge, left), window.innerWidth - width - edge)}px`;
}
