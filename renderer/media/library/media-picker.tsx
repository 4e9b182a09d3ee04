import { useDeferredValue, useState } from 'react';
import type { Media, MediaKind } from '../../../shared/media.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LibraryFilters, NoFiles } from './library-filters.tsx';
import styles from './media-grid.module.css';
import { MediaGrid } from './media-grid.tsx';
import { type LibraryFilter, useLibrary } from './use-library.ts';

export interface MediaPickerProps {
  /** If empty, all kinds are allowed. */
  kinds: readonly MediaKind[];
  title: string;
  onPick: (media: Media) => void;
  onClose: () => void;
}

export function MediaPicker({ title, onClose, ...props }: MediaPickerProps) {
  return (
    <Dialog open title={title} size="large" onClose={onClose}>
      <Choice {...props} />
    </Dialog>
  );
}

function Choice({ kinds, onPick }: Pick<MediaPickerProps, 'kinds' | 'onPick'>) {
  const all: LibraryFilter = { kind: kinds[0] ?? null, role: null, text: '', sort: 'newest' };
  const [filter, setFilter] = useState(all);
  const library = useLibrary(useDeferredValue(filter));
  const isNarrowed = filter.text.trim() !== '' || filter.role !== null;
  return (
    <div className={styles.choice}>
      <LibraryFilters filter={filter} kinds={kinds} onChange={setFilter} />
      <MediaGrid library={library} verb="Use" currentId={null} onChoose={onPick} />
      {!library.isPending && library.error === null && library.items.length === 0 && (
        <NoFiles
          onClearFilters={
            isNarrowed
              ? () => setFilter({ ...all, kind: filter.kind, sort: filter.sort })
              : undefined
          }
        />
      )}
    </div>
  );
}
