import { type RefObject, useEffect, useRef } from 'react';

const atEndPixels = 24;

interface FollowEnd {
  scroller: RefObject<HTMLDivElement | null>;
  /** All that scrolls, as one element. */
  content: RefObject<HTMLDivElement | null>;
}

/**
 * Keeps the end in sight while the content grows, until the user scrolls up from it. Starts at the
 * end where `following`, else wherever the user goes.
 */
export function useFollowEnd(following: boolean): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atEnd = useRef(following);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    let top = element.scrollTop;
    // Content that grows also moves the end away: only going up is the user's doing.
    const note = () => {
      const left = element.scrollHeight - element.clientHeight - element.scrollTop;
      if (left <= atEndPixels) atEnd.current = true;
      else if (element.scrollTop < top) atEnd.current = false;
      top = element.scrollTop;
    };
    const grown = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    grown.observe(element);
    grown.observe(inner);
    element.addEventListener('scroll', note, { passive: true });
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, []);

  return { scroller, content };
}
