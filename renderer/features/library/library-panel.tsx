import { useDeferredValue, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { create } from 'zustand';
import type { LibraryItem } from '../../../shared/media.ts';
import { api } from '../../lib/api.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { LibraryFilters, NoFiles } from '../../media/library/library-filters.tsx';
import { MediaGrid } from '../../media/library/media-grid.tsx';
import { type LibraryFilter, useLibrary } from '../../media/library/use-library.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { saveMedia } from '../../media/players/download-button.tsx';
import { anything } from '../../media/uploads/media-filter.ts';
import { AttachButton, DropZone, UploadList } from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { PanelFrame } from '../../run/panel/panel-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { guardNextDelete } from '../../ui/press-guard.ts';
import { focusRow } from '../../ui/roving-list.ts';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './library.module.css';
import { MediaDetails } from './media-details.tsx';

/** Identifies both the Undo offers and the roving list. */
const undoKey = 'library';

export function LibraryPanel() {
  const filter = useLibraryStore((state) => state.filter);
  const shownId = useLibraryStore((state) => state.shownId);
  const library = useLibrary(useDeferredValue(filter));
  const uploads = useUploads({
    place: 'library',
    filter: anything,
    onMedia: ({ id }) => showItem(id),
  });
  const { error, attempt } = useAttempt();
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const { items, isPending } = library;
  const marked = useLibraryStore((state) => state.marked);
  const selected = items.filter(({ id }) => marked.has(id));
  const shown = items.find(({ id }) => id === shownId) ?? null;
  const isEmpty = !isPending && library.error === null && items.length === 0;

  useEffect(() => {
    // Deleting the last item removed the tile or details that had focus.
    if (isEmpty && document.activeElement === document.body) search.current?.focus();
  }, [isEmpty]);

  /** Returns focus to the tile. */
  function close({ id }: LibraryItem) {
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] button`)?.focus();
    showItem(null);
  }

  function rename({ id }: LibraryItem) {
    flushSync(() => showItem(id));
    nameField.current?.focus();
    nameField.current?.select();
  }

  async function remove(item: LibraryItem) {
    const at = items.indexOf(item);
    const next = items[at + 1] ?? items[at - 1] ?? null;
    await attempt(async () => {
      const { deletionId } = await api.media.remove({ id: item.id });
      if (deletionId !== null) {
        offerUndo({
          message: `“${getMediaTitle(item)}” deleted`,
          several: { words: '# files deleted' },
          place: undoKey,
          undo: deletionId,
          onUndone() {
            showItem(item.id);
            focusRow(undoKey, item.id);
          },
        });
      }
      if (item.id !== useLibraryStore.getState().shownId) return;
      guardNextDelete(next?.id ?? null);
      showItem(next?.id ?? null);
    });
  }

  /** Undo brings back all of them together. */
  async function removeSelected() {
    mark(none);
    for (const item of selected) await remove(item);
  }

  return (
    <PanelFrame
      title="Library"
      actions={<AttachButton uploads={uploads} filter={anything} label="Add files" />}
    >
      <DropZone uploads={uploads} label="Drop files to add" className={styles.panel}>
        <div ref={list} className={classNames(styles.list, 'stack-12 grow')}>
          <LibraryFilters filter={filter} onChange={narrow} searchRef={search} />
          {marked.size > 0 && (
            <div className={classNames(styles.marked, 'row-8 fixed')}>
              <span className="grow">{formatCount(marked.size)} selected</span>
              <Button size="small" onClick={() => selected.forEach(saveMedia)}>
                Download selected
              </Button>
              <Button size="small" variant="quiet" onClick={() => void removeSelected()}>
                Delete selected
              </Button>
              <Button size="small" variant="quiet" onClick={() => mark(none)}>
                Clear selection
              </Button>
            </div>
          )}
          <UploadList uploads={uploads} />
          <UndoBars place={undoKey} className={styles.undo} />
          {error !== null && <ErrorAlert error={error} compact />}
          <MediaGrid
            name={undoKey}
            library={library}
            verb="Show"
            currentId={shown?.id ?? null}
            onChoose={({ id }) => showItem(id)}
            onDelete={(item) => void (marked.has(item.id) ? removeSelected() : remove(item))}
            onRename={rename}
            marked={marked}
            onMark={mark}
          />
          {isEmpty && (
            <NoFiles
              onClearFilters={
                hasActiveFilter(filter)
                  ? () => narrow({ ...everything, sort: filter.sort })
                  : undefined
              }
            />
          )}
        </div>
        {shown !== null && (
          <MediaDetails
            key={shown.id}
            item={shown}
            nameField={nameField}
            onStartRename={() => rename(shown)}
            onDelete={() => void remove(shown)}
            onClose={() => close(shown)}
          />
        )}
      </DropZone>
    </PanelFrame>
  );
}

interface LibraryStore {
  filter: LibraryFilter;
  shownId: string | null;
  marked: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export const everything: LibraryFilter = { kind: null, role: null, text: '', sort: 'newest' };

const useLibraryStore = create<LibraryStore>(() => ({
  filter: everything,
  shownId: null,
  marked: none,
}));

function hasActiveFilter({ kind, role, text }: LibraryFilter): boolean {
  return kind !== null || role !== null || text.trim() !== '';
}

export function narrow(filter: LibraryFilter): void {
  useLibraryStore.setState({ filter, marked: none });
}

function mark(marked: ReadonlySet<string>): void {
  useLibraryStore.setState({ marked });
}

function showItem(shownId: string | null): void {
  useLibraryStore.setState({ shownId });
}
