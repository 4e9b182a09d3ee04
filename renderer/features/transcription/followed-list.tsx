import type { ReactNode } from 'react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './transcript.module.css';

interface FollowedListProps {
  follow: Pick<ReturnType<typeof useFollow>, 'following' | 'resume'>;
  hasCurrent: boolean;
  /** The child must be the scrolling element. */
  children: ReactNode;
}

/** Scrolls along with playback, and offers a button to return after the user scrolls away. */
export function AutoScrollList({ follow, hasCurrent, children }: FollowedListProps) {
  return (
    <div className={styles.followed}>
      {children}
      {!follow.following && hasCurrent && (
        <Button size="small" className={styles.back} onClick={follow.resume}>
          Back to current
        </Button>
      )}
    </div>
  );
}

const scrollKeys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];

/** Keeps item `active` in view until the user scrolls; -1 means that nothing is playing. */
export function useFollow(active: number, show: (index: number) => void) {
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
    /** Spread these props on the scrolling element. */
    scrollProps: {
      onWheel: leave,
      onTouchMove: leave,
      // A press outside the content area is on the scroll bar.
      onPointerDown: ({ target, currentTarget }: PointerEvent) =>
        target === currentTarget && leave(),
      onKeyDown: ({ key }: KeyboardEvent) => scrollKeys.includes(key) && leave(),
    },
  };
}
