import { useEffect } from 'react';
import { create } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { offerUndo } from '../../lib/undo.ts';
import { Button } from '../../ui/button.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { MediaChip } from '../players/media-chip.tsx';
import { recoverRecordings } from '../uploads/upload-recording.ts';
import styles from './recovered-recordings.module.css';

const useRecovered = create<{ recordings: Media[] }>(() => ({ recordings: [] }));
let looking: Promise<void> | null = null;

/** Recovery runs once per page, because a current recording must not be recovered. */
function lookOnce(): Promise<void> {
  looking ??= recoverRecordings().then(
    (recordings) => {
      if (recordings.length > 0) useRecovered.setState({ recordings });
    },
    () => {
      looking = null;
    },
  );
  return looking;
}

function remove(id: string): void {
  useRecovered.setState(({ recordings }) => ({
    recordings: recordings.filter((media) => media.id !== id),
  }));
}

const PLACE = 'recovered-recordings';

function dismiss(media: Media): void {
  remove(media.id);
  offerUndo({
    message: 'Recording dismissed. It stays in the library.',
    several: { words: '# recordings dismissed. They stay in the library.' },
    place: PLACE,
    undo: () => useRecovered.setState(({ recordings }) => ({ recordings: [...recordings, media] })),
  });
}

/** Offers recordings of a page that was reloaded, closed or crashed. */
export function RecoveredRecordings({ onUse }: { onUse: (media: Media) => void }) {
  const recordings = useRecovered((state) => state.recordings);
  useEffect(() => void lookOnce(), []);
  return (
    <>
      {recordings.length > 0 && (
        <section aria-label="Recovered recordings" className={styles.recovered}>
          <p className={styles.words}>Recovered recording (page was closed)</p>
          {recordings.map((media) => (
            <MediaChip key={media.id} media={media} onRemove={() => dismiss(media)}>
              <Button
                size="small"
                onClick={() => {
                  remove(media.id);
                  onUse(media);
                }}
              >
                Use recording
              </Button>
            </MediaChip>
          ))}
        </section>
      )}
      <UndoBars place={PLACE} />
    </>
  );
}
