import { useEffect } from 'react';
import { create } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { MediaChip } from '../players/media-chip.tsx';
import { recoverRecordings } from '../uploads/upload-recording.ts';
import styles from './recovered-recordings.module.css';

const useRecovered = create<{ recordings: Media[] }>(() => ({ recordings: [] }));
let looking: Promise<void> | null = null;

/** Once a page: a recording that goes on here must not be taken for one that was cut off. */
function lookOnce(): Promise<void> {
  looking ??= recoverRecordings().then(
    (recordings) => useRecovered.setState({ recordings }),
    () => {
      looking = null;
    },
  );
  return looking;
}

function dismiss(id: string): void {
  useRecovered.setState(({ recordings }) => ({
    recordings: recordings.filter((media) => media.id !== id),
  }));
}

/** What was being recorded when an earlier page was reloaded, closed or crashed. */
export function RecoveredRecordings({ onUse }: { onUse: (media: Media) => void }) {
  const recordings = useRecovered((state) => state.recordings);
  useEffect(() => void lookOnce(), []);
  if (recordings.length === 0) return null;
  return (
    <section aria-label="Recovered recordings" className={styles.recovered}>
      <p className={styles.words}>This was being recorded when the page went away:</p>
      {recordings.map((media) => (
        <MediaChip key={media.id} media={media} onRemove={() => dismiss(media.id)}>
          <Button
            size="small"
            onClick={() => {
              dismiss(media.id);
              onUse(media);
            }}
          >
            Use it
          </Button>
        </MediaChip>
      ))}
    </section>
  );
}
