import type { ReactNode } from 'react';
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
