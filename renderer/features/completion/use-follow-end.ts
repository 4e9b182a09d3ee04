import { type RefObject, useEffect, useRef } from 'react';

const atEndPixels = 24;

/** Keeps the end in sight while the text grows, until the user scrolls away from it. */
export function useFollowEnd(
  following: boolean,
  textLength: number,
): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const note = () => {
      atEnd.current =
        element.scrollTop + element.clientHeight >= element.scrollHeight - atEndPixels;
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the length.
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && following && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [following, textLength]);

  return scroller;
}
