import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

interface Follow {
  /** False once the user has scrolled away from what is played. */
  following: boolean;
  /** Back to what is played. */
  resume: () => void;
  /** For the element that scrolls. */
  scrollProps: {
    onWheel: () => void;
    onTouchMove: () => void;
    onPointerDown: (event: PointerEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

const scrollKeys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];

/** Keeps what is played in view until the user scrolls. `active`: its index; -1 for none. */
export function useFollow(active: number, show: (index: number) => void): Follow {
  const [following, setFollowing] = useState(true);
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  useEffect(() => {
    if (following && active >= 0) latest.current(active);
  }, [following, active]);

  const leave = () => setFollowing(false);
  return {
    following,
    resume: () => setFollowing(true),
    scrollProps: {
      onWheel: leave,
      onTouchMove: leave,
      // Beside what is in it: on the scroll bar.
      onPointerDown: ({ target, currentTarget }) => target === currentTarget && leave(),
      onKeyDown: ({ key }) => scrollKeys.includes(key) && leave(),
    },
  };
}
