import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

export interface PopupPlace {
  side: 'top' | 'bottom';
  align: 'start' | 'center' | 'end';
  /** Between the two. */
  gap: number;
}

interface AnchoredPopup extends PopupPlace {
  anchor: RefObject<HTMLElement | null>;
  /** A `popover="manual"`: it lies over everything, dialogs too, wherever it is in the page. */
  popup: RefObject<HTMLElement | null>;
  /** A press or the focus has gone elsewhere, or Escape was pressed. */
  onClose: () => void;
  /** What has the focus once it is closed, unless that has gone elsewhere; the anchor unless given. */
  finalFocus?: RefObject<HTMLElement | null> | undefined;
}

/** For a component that is there as long as its popup is open. */
export function useAnchoredPopup({ anchor, popup, onClose, finalFocus, ...place }: AnchoredPopup) {
  const { side, align, gap } = place;
  const close = useEffectEvent(onClose);

  useLayoutEffect(() => {
    const [element, around] = [popup.current, anchor.current];
    if (element === null || around === null) return undefined;
    element.showPopover();
    const put = () => placePopup(element, around.getBoundingClientRect(), { side, align, gap });
    put();
    const isHere = (target: EventTarget | null) =>
      target instanceof Node && (element.contains(target) || around.contains(target));
    const press = ({ target }: Event) => !isHere(target) && close();
    // To nowhere: another window has the focus, or what had it is gone.
    const leave = ({ relatedTarget }: FocusEvent) =>
      relatedTarget !== null && !isHere(relatedTarget) && close();
    const scroll = ({ target }: Event) =>
      !(target instanceof Node && element.contains(target)) && put();
    const observer = new ResizeObserver(put);
    observer.observe(element);
    document.addEventListener('pointerdown', press, true);
    document.addEventListener('scroll', scroll, true);
    for (const part of [element, around]) part.addEventListener('focusout', leave);
    addEventListener('resize', put);
    return () => {
      observer.disconnect();
      document.removeEventListener('pointerdown', press, true);
      document.removeEventListener('scroll', scroll, true);
      for (const part of [element, around]) part.removeEventListener('focusout', leave);
      removeEventListener('resize', put);
      if (element.contains(document.activeElement)) (finalFocus?.current ?? around).focus();
    };
  }, [anchor, popup, finalFocus, side, align, gap]);
}

const edge = 8;

/** At its side of the anchor, at the other one where there is more room; always inside the window. */
function placePopup(popup: HTMLElement, anchor: DOMRect, { side, align, gap }: PopupPlace): void {
  const above = anchor.top - gap - edge;
  const below = window.innerHeight - anchor.bottom - gap - edge;
  popup.style.maxWidth = `${window.innerWidth - 2 * edge}px`;
  popup.style.maxHeight = '';
  const { width, height } = popup.getBoundingClientRect();
  const [room, otherRoom] = side === 'top' ? [above, below] : [below, above];
  const isTurned = height > room && otherRoom > room;
  const isAbove = (side === 'top') !== isTurned;
  const shownHeight = Math.min(height, isTurned ? otherRoom : room);
  if (shownHeight < height) popup.style.maxHeight = `${shownHeight}px`;
  popup.style.top = `${isAbove ? anchor.top - gap - shownHeight : anchor.bottom + gap}px`;
  const starts = {
    start: anchor.left,
    center: anchor.left + anchor.width / 2 - width / 2,
    end: anchor.right - width,
  };
  const last = window.innerWidth - width - edge;
  popup.style.left = `${Math.max(edge, Math.min(starts[align], last))}px`;
}
