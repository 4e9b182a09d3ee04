import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import styles from './gallery.module.css';
import { GalleryItem } from './gallery-item.tsx';

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
