import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Media, MediaKind } from '../../../shared/media.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatClock } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { factsOf, mediaTitle } from '../players/describe-media.ts';
import { MediaChip } from '../players/media-chip.tsx';
import styles from './media-picker.module.css';

export interface MediaPickerProps {
  open: boolean;
  /** Null: all kinds. */
  kind: MediaKind | null;
  title: string;
  onPick: (media: Media) => void;
  onClose: () => void;
}

const PAGE = 50;

/** What Gatehouse has already: recordings, uploads and what models made; newest first. */
export function MediaPicker({ open, kind, title, onPick, onClose }: MediaPickerProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      {open && <MediaList kind={kind} onPick={onPick} />}
    </Dialog>
  );
}

function MediaList({ kind, onPick }: Pick<MediaPickerProps, 'kind' | 'onPick'>) {
  const [limit, setLimit] = useState(PAGE);
  const { data, error, isPending, refetch } = useQuery({
    ...orpc.media.list.queryOptions({ input: { kind, before: null, limit } }),
    placeholderData: keepPreviousData,
  });
  if (error !== null) {
    return <ErrorAlert error={toAppError(error)} onRetry={() => void refetch()} />;
  }
  if (isPending) return <Spinner label="Loading" />;
  if (data.media.length === 0) return <p className={styles.empty}>No files yet.</p>;
  const now = Date.now();
  return (
    <>
      <ul className={styles.list}>
        {data.media.map((media) => (
          <li key={media.id} className={styles.item}>
            <MediaChip
              media={media}
              detail={`${formatClock(media.createdAt, now)} · ${factsOf(media).join(' · ')}`}
            />
            <Button
              size="small"
              aria-label={`Use ${mediaTitle(media)}`}
              onClick={() => onPick(media)}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
      {data.more && limit < 200 && (
        <Button variant="quiet" onClick={() => setLimit(Math.min(200, limit + PAGE))}>
          Show more
        </Button>
      )}
    </>
  );
}
