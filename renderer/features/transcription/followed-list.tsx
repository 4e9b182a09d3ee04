import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './transcript.module.css';

interface FollowedListProps {
  follow: { following: boolean; resume: () => void };
  /** Something is being played that could be shown. */
  hasCurrent: boolean;
  /** What scrolls. */
  children: ReactNode;
}

/** A part of a transcript that follows playback, with the way back once the user has scrolled away. */
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
