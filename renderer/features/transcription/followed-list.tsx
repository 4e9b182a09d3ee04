import type { ReactNode } from 'react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './transcript.module.css';

interface FollowedListProps {
  follow: { following: boolean; resume: () => void };
  /** Something in the list is playing. */
  hasCurrent: boolean;
  /** The scrolling element. */
  children: ReactNode;
}

/** Part of a transcript that follows playback, with a button to return after scrolling away. */
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

interface Follow {
  /** False once the user has scrolled away from the playing part. */
  following: boolean;
  /** Scrolls back to the playing part. */
  resume: () => void;
  /** For the scrolling element. */
  scrollProps: {
    onWheel: () => void;
    onTouchMove: () => void;
    onPointerDown: (event: PointerEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

const scrollKeys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];

/** Keeps the playing part in view until the user scrolls. `active`: its index; -1 for none. */
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
      // A press outside the content is on the scroll bar.
      onPointerDown: ({ target, currentTarget }) => target === currentTarget && leave(),
      onKeyDown: ({ key }) => scrollKeys.includes(key) && leave(),
    },
  };
}
