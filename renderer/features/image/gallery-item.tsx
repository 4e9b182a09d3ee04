import { mediaUrl } from '../../../shared/media-reference.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { showRun } from '../../run/live/panel-runs.ts';
import styles from './gallery.module.css';

interface GalleryItemProps {
  run: RunSummary;
  shown: boolean;
}

/** A run by the pictures it brought; one that brought none has its result in the history. */
export function GalleryItem({ run, shown }: GalleryItemProps) {
  const pictures = run.media.filter(({ kind, complete }) => kind === 'image' && complete);
  const title = run.preview || 'image';
  return pictures.map(({ id, width, height }, index) => (
    <li key={id} className={styles.item}>
      <button
        type="button"
        className={styles.button}
        aria-label={pictures.length > 1 ? `Show ${title} (${index + 1})` : `Show ${title}`}
        aria-current={shown || undefined}
        onClick={() => showRun('image', run.id)}
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
