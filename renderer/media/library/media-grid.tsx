import { useRef } from 'react';
import type { LibraryItem } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { mediaTitle } from '../players/describe-media.ts';
import styles from './media-grid.module.css';
import { MediaTile } from './media-tile.tsx';
import type { LibraryPages } from './use-library.ts';

interface MediaGridProps {
  /** What `focusRow` knows it by. */
  name?: string;
  library: LibraryPages;
  /** What a press does, before the name: `Show`. */
  verb: string;
  currentId: string | null;
  onChoose: (item: LibraryItem) => void;
  onDelete?: (item: LibraryItem) => void;
}

/** Thumbnails side by side, as one Tab stop: arrows go across and down, typing finds a name. */
export function MediaGrid(props: MediaGridProps) {
  const { name, library, verb, currentId, onChoose, onDelete } = props;
  const { items, isPending, hasMore, error, retry, showMore } = library;
  const grid = useRef<HTMLUListElement>(null);
  const roving = useRovingList({
    name,
    keys: items.map(({ id }) => id),
    currentKey: currentId,
    textOf: (index) => getText(items[index]),
    columns: () => getColumns(grid.current),
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={retry} />;
  if (isPending) return <Spinner label="Loading library" />;
  const now = Date.now();
  return (
    <>
      <ul
        ref={grid}
        className={styles.grid}
        aria-label="Media"
        {...roving.listProps}
        onKeyDown={(event) => {
          const item = items[roving.stop];
          if (event.key === 'Delete' && item !== undefined && onDelete !== undefined) {
            event.preventDefault();
            // Held down, it would delete the next tile too.
            if (event.repeat) return;
            // The focus must not go with the tile.
            roving.moveTo(roving.stop + (roving.stop + 1 < items.length ? 1 : -1));
            onDelete(item);
          } else roving.listProps.onKeyDown(event);
        }}
      >
        {items.map((item, index) => (
          <li key={item.id} data-row={item.id} className={styles.item}>
            <MediaTile
              item={item}
              verb={verb}
              current={item.id === currentId}
              tabIndex={roving.tabIndexOf(index)}
              now={now}
              onChoose={() => onChoose(item)}
            />
          </li>
        ))}
      </ul>
      {hasMore && (
        <div>
          <Button size="small" variant="quiet" onClick={showMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function getText(item: LibraryItem | undefined): string {
  return item === undefined ? '' : `${mediaTitle(item)} ${item.run?.preview ?? ''}`;
}

function getColumns(grid: HTMLElement | null): number {
  return grid === null ? 1 : getComputedStyle(grid).gridTemplateColumns.split(' ').length;
}
