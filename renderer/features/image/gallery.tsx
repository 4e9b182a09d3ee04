import { getMediaUrl, type Media } from '../../../shared/media.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { useRuns } from '../../run/list/use-runs.ts';
import { Button } from '../../ui/button.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './gallery.module.css';
import { imageForm } from './image-store.ts';

export function Gallery({ shownId }: { shownId: string | null }) {
  const { runs, hasMore, showMore } = useRuns({
    operation: 'image',
    status: 'succeeded',
    pageSize: 24,
  });
  const images = runs.flatMap(getImages);
  const roving = useRovingList({
    keys: images.map(({ media }) => media.id),
    currentKey: images.find(({ run }) => run.id === shownId)?.media.id ?? null,
    getItemText: (index) => images[index]?.title ?? '',
    columns: () => 1,
  });
  if (images.length === 0) return null;
  return (
    <section className={styles.gallery} aria-label="Gallery">
      <h2 className="label fixed">Gallery</h2>
      <ul className={styles.list} {...roving.listProps}>
        {images.map((image, index) => (
          <GalleryItem
            key={image.media.id}
            image={image}
            shown={image.run.id === shownId}
            tabIndex={roving.getTabIndex(index)}
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

interface GalleryImage {
  run: RunSummary;
  media: Media;
  title: string;
}

/** Returns an empty list if the run has no images; History shows such runs. */
function getImages(run: RunSummary): GalleryImage[] {
  const images = run.media.filter(({ kind, complete }) => kind === 'image' && complete);
  const title = run.preview || 'image';
  return images.map((media, index) => ({
    run,
    media,
    title: images.length > 1 ? `${title} (${index + 1})` : title,
  }));
}

interface GalleryItemProps {
  image: GalleryImage;
  shown: boolean;
  tabIndex: 0 | -1;
}

function GalleryItem({ image: { run, media, title }, shown, tabIndex }: GalleryItemProps) {
  const { id, width, height } = media;
  return (
    <li className="fixed" data-row={id}>
      <Tooltip text={title}>
        <button
          type="button"
          className={styles.button}
          aria-label={`Show ${title}`}
          aria-current={shown || undefined}
          tabIndex={tabIndex}
          onClick={() => imageForm.change({ runId: run.id })}
        >
          <img
            src={getMediaUrl(id)}
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
