import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { useRuns } from '../../run/list/use-runs.ts';
import { Button } from '../../ui/button.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './gallery.module.css';
import { showRun } from './image-store.ts';

/** Images of earlier runs, newest first. */
export function Gallery({ shownId }: { shownId: string | null }) {
  const { runs, hasMore, showMore } = useRuns({
    operation: 'image',
    status: 'succeeded',
    pageSize: 24,
  });
  const pictures = runs.flatMap(getPictures);
  const roving = useRovingList({
    keys: pictures.map(({ media }) => media.id),
    currentKey: pictures.find(({ run }) => run.id === shownId)?.media.id ?? null,
    textOf: (index) => pictures[index]?.title ?? '',
    columns: () => 1,
  });
  if (pictures.length === 0) return null;
  return (
    <section className={styles.gallery} aria-label="Gallery">
      <h2 className={styles.heading}>Gallery</h2>
      <ul className={styles.list} {...roving.listProps}>
        {pictures.map((picture, index) => (
          <GalleryItem
            key={picture.media.id}
            picture={picture}
            shown={picture.run.id === shownId}
            tabIndex={roving.tabIndexOf(index)}
          />
        ))}
      </ul>
      {hasMore && (
        <Button size="small" variant="quiet" onClick={showMore}>
          Show more
        </Button>
      )}
    </section>
  );
}

interface Picture {
  run: RunSummary;
  media: Media;
  title: string;
}

/** Shows a run by its images; a run without one shows its result in History. */
function getPictures(run: RunSummary): Picture[] {
  const pictures = run.media.filter(({ kind, complete }) => kind === 'image' && complete);
  const title = run.preview || 'image';
  return pictures.map((media, index) => ({
    run,
    media,
    title: pictures.length > 1 ? `${title} (${index + 1})` : title,
  }));
}

interface GalleryItemProps {
  picture: Picture;
  shown: boolean;
  tabIndex: 0 | -1;
}

function GalleryItem({ picture: { run, media, title }, shown, tabIndex }: GalleryItemProps) {
  const { id, width, height } = media;
  return (
    <li className={styles.item} data-row={id}>
      <Tooltip text={title}>
        <button
          type="button"
          className={styles.button}
          aria-label={`Show ${title}`}
          aria-current={shown || undefined}
          tabIndex={tabIndex}
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
      </Tooltip>
    </li>
  );
}
