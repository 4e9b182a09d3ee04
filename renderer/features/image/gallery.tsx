import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mediaUrl } from '../../../shared/media-reference.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { orpc } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import styles from './gallery.module.css';
import { showRun } from './image-store.ts';

const PAGE = 24;
const MOST = 192;

/** The pictures of earlier runs, the newest first. */
export function Gallery({ shownId }: { shownId: string | null }) {
  const [limit, setLimit] = useState(PAGE);
  const { data } = useQuery({
    ...orpc.runs.list.queryOptions({
      input: { operation: 'image', connectionId: null, status: 'succeeded', before: null, limit },
    }),
    placeholderData: keepPreviousData,
  });
  const runs = data?.runs ?? [];
  if (runs.length === 0) return null;
  return (
    <section className={styles.gallery} aria-label="Gallery">
      <h2 className={styles.heading}>Gallery</h2>
      <ul className={styles.list}>
        {runs.map((run) => (
          <GalleryItem key={run.id} run={run} shown={run.id === shownId} />
        ))}
      </ul>
      {data?.more === true && limit < MOST && (
        <div>
          <Button
            size="small"
            variant="quiet"
            onClick={() => setLimit(Math.min(MOST, limit + PAGE))}
          >
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}

interface GalleryItemProps {
  run: RunSummary;
  shown: boolean;
}

/** A run by the pictures it brought; one that brought none has its result in the history. */
function GalleryItem({ run, shown }: GalleryItemProps) {
  const pictures = run.media.filter(({ kind, complete }) => kind === 'image' && complete);
  const title = run.preview || 'image';
  return pictures.map(({ id, width, height }, index) => (
    <li key={id} className={styles.item}>
      <button
        type="button"
        className={styles.button}
        aria-label={pictures.length > 1 ? `Show ${title} (${index + 1})` : `Show ${title}`}
        aria-current={shown || undefined}
        onClick={() => showRun(run.id)}
      >
        <img
          src={mediaUrl(id)}
          alt=""
          loading="lazy"
          decoding="async"
          {...(width !== null && height !== null && { width, height })}
        />
      </button>
    </li>
  ));
}
