import type { Media } from '../../../shared/media.ts';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { differences, getFacts, type RequestedMedia } from './describe-media.ts';
import styles from './media-facts.module.css';

export interface MediaFactsProps {
  media: Media;
  /** What was requested; shown where something else was received. */
  requested?: RequestedMedia;
}

/** One quiet line: what was received, and what was requested where it differs. */
export function MediaFacts({ media, requested }: MediaFactsProps) {
  const otherwise = requested === undefined ? [] : differences(media, requested);
  return (
    <p className={styles.facts}>
      <span className="tabular">{getFacts(media).join(' · ')}</span>
      {otherwise.length > 0 && (
        <span className={styles.warning}>
          <WarningIcon size={14} />
          requested {otherwise.join(', ')}
        </span>
      )}
    </p>
  );
}
