import { type RefObject, useEffect } from 'react';

/** Of the window's height, as layout.ts keeps it free beside the inspector. */
const minShare = 0.45;

/**
 * Scrolls the panel down just far enough that 45 % of the window's height, or all of the element, is in view: when it
 * appears and while it or the panel changes its height. Ends as soon as the user scrolls or types in the panel; never
 * scrolls up, and never moves the focus.
 */
export function useMinVisibleHeight(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    const scroller = element === null ? null : getScroller(element);
    if (element === null || scroller === null) return;
    let ownTop = scroller.scrollTop;

    const show = () => {
      const hidden = hiddenBelow(element, scroller);
      if (hidden < 1) return;
      scroller.scrollTop += hidden;
      ownTop = scroller.scrollTop;
    };
    const end = () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', onScroll);
      scroller.removeEventListener('input', end);
    };
    const onScroll = () => {
      const mostTop = scroller.scrollHeight - scroller.clientHeight;
      // At its end because there is no more to scroll: the browser may have moved it there.
      const isOwn = Math.abs(scroller.scrollTop - ownTop) <= 1;
      if (!isOwn && scroller.scrollTop < mostTop - 1) end();
    };

    const observer = new ResizeObserver(show);
    // What is above it moves it down.
    for (const watched of [scroller, element, ...scroller.children]) observer.observe(watched);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    scroller.addEventListener('input', end);
    return end;
  }, [ref]);
}

function getScroller(element: HTMLElement): HTMLElement | null {
  let outer = element.parentElement;
  while (outer !== null && !/auto|scroll/.test(getComputedStyle(outer).overflowY)) {
    outer = outer.parentElement;
  }
  return outer;
}

/** What is missing below of the height it should have in view, in px; its top stays in view. */
function hiddenBelow(element: HTMLElement, scroller: HTMLElement): number {
  const frame = scroller.getBoundingClientRect();
  const { top, height } = element.getBoundingClientRect();
  const wanted = Math.min(height, minShare * window.innerHeight);
  return Math.min(top + wanted - frame.bottom, top - frame.top);
}
