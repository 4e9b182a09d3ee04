import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { getMediaUrl, type LibraryItem, type Media } from '../../../shared/media.ts';
import { createOutputStem } from '../../../shared/output-name.ts';
import { formatBytes, formatClock, formatLength } from '../../lib/format-quantity.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FileIcon } from '../../ui/icons/media.tsx';
import { ImageIcon, SpeechIcon, VideoIcon } from '../../ui/icons/panels.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { loadMediaPeaks } from '../peaks/use-peaks.ts';
import { getFacts, getMediaTitle } from '../players/describe-media.ts';
import { getLevels } from '../players/waveform-scale.ts';
import styles from './media-grid.module.css';
import type { LibraryPages } from './use-library.ts';

interface MediaGridProps {
  /** The grid's name for `focusRow`. */
  name?: string;
  library: LibraryPages;
  /** The verb before the item name in labels, such as `Show`. */
  verb: string;
  currentId: string | null;
  onChoose: (item: LibraryItem) => void;
  onDelete?: (item: LibraryItem) => void;
  onRename?: (item: LibraryItem) => void;
  /** The IDs of selected items; undefined in a grid whose items can't be selected. */
  marked?: ReadonlySet<string>;
  onMark?: (marked: ReadonlySet<string>) => void;
}

/** Renders a grid with one Tab stop: arrow keys move between items, and typing finds a name. */
export function MediaGrid(props: MediaGridProps) {
  const { name, library, verb, currentId, onChoose, onDelete, onRename, marked, onMark } = props;
  const { items, isPending, hasMore, error, retry, showMore } = library;
  const grid = useRef<HTMLUListElement>(null);
  const lastMarked = useRef(0);
  const roving = useRovingList({
    name,
    keys: items.map(({ id }) => id),
    currentKey: currentId,
    getItemText: (index) => getText(items[index]),
    columns: () => getColumns(grid.current),
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={retry} />;
  if (isPending) return <Spinner label="Loading library" />;
  const now = Date.now();

  /** Toggles the item; with Shift, adds all items from the one that was toggled before. */
  function mark(index: number, isRange: boolean) {
    const id = items[index]?.id;
    if (id === undefined || marked === undefined) return;
    const next = new Set(marked);
    if (isRange) {
      const [from, to] = [lastMarked.current, index].toSorted((a, b) => a - b);
      for (const item of items.slice(from, (to ?? index) + 1)) next.add(item.id);
    } else if (!next.delete(id)) next.add(id);
    lastMarked.current = index;
    onMark?.(next);
  }

  /** Returns true if the key changed the selection. */
  function markByKey(event: KeyboardEvent): boolean {
    if (marked === undefined) return false;
    if (event.key === ' ') mark(roving.stop, event.shiftKey);
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey))
      onMark?.(new Set(items.map(({ id }) => id)));
    else if (event.key === 'Escape' && marked.size > 0) onMark?.(new Set());
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return (
    <>
      <ul
        ref={grid}
        className={styles.grid}
        aria-label="Media"
        {...roving.listProps}
        onKeyUp={(event) => {
          // Some browsers press a button when Space is released.
          if (event.key === ' ' && marked !== undefined) event.preventDefault();
        }}
        onKeyDown={(event) => {
          if (markByKey(event)) return;
          const item = items[roving.stop];
          if (event.key === 'Delete' && item !== undefined && onDelete !== undefined) {
            event.preventDefault();
            // Ignore key repeat, which would also delete the next item.
            if (event.repeat) return;
            // Move focus before the tile is removed.
            roving.moveTo(roving.stop + (roving.stop + 1 < items.length ? 1 : -1));
            onDelete(item);
          } else if (event.key === 'F2' && item !== undefined && onRename !== undefined) {
            event.preventDefault();
            onRename(item);
          } else roving.listProps.onKeyDown(event);
        }}
      >
        {items.map((item, index) => (
          <li key={item.id} data-row={item.id} className={styles.item}>
            <MediaTile
              item={item}
              verb={verb}
              current={item.id === currentId}
              tabIndex={roving.getTabIndex(index)}
              now={now}
              isMarked={marked?.has(item.id)}
              onMark={(isRange) => mark(index, isRange)}
              onChoose={(event) => {
                if (marked !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey)) {
                  mark(index, event.shiftKey);
                } else onChoose(item);
              }}
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
  return item === undefined ? '' : `${getMediaTitle(item)} ${item.run?.preview ?? ''}`;
}

/** Returns the prompt instead of a name that was derived from it. */
export function getLibraryTitle(item: LibraryItem): string {
  const preview = item.run?.preview ?? '';
  const derived = createOutputStem(preview, new Date(0), '').replace(/-\d{4}(-\d\d){2}-\d{6}$/, '');
  const isDerived = derived !== '' && item.name?.startsWith(`${derived}-`);
  return isDerived ? preview : getMediaTitle(item);
}

function getColumns(grid: HTMLElement | null): number {
  return grid === null ? 1 : getComputedStyle(grid).gridTemplateColumns.split(' ').length;
}

interface MediaTileProps {
  item: LibraryItem;
  verb: string;
  current: boolean;
  tabIndex: 0 | -1;
  now: number;
  /** Undefined if the item can't be selected. */
  isMarked?: boolean | undefined;
  onMark?: (isRange: boolean) => void;
  onChoose: (event: MouseEvent) => void;
}

export function MediaTile(props: MediaTileProps) {
  const { item, verb, current, tabIndex, now, isMarked, onMark, onChoose } = props;
  const name = getLibraryTitle(item);
  const facts = [
    getOriginLabel(item),
    formatBytes(item.sizeBytes),
    formatClock(item.createdAt, now),
  ];
  return (
    <div className={styles.tile} data-marked={isMarked}>
      <button
        type="button"
        className={styles.press}
        aria-label={`${verb} ${name}`}
        aria-description={[getOriginLabel(item), item.run?.preview, ...getFacts(item)]
          .filter(Boolean)
          .join(', ')}
        aria-current={current || undefined}
        tabIndex={tabIndex}
        onClick={onChoose}
      >
        <span className={styles.thumbnail}>
          <Thumbnail media={item} />
        </span>
      </button>
      {isMarked !== undefined && (
        <Checkbox
          className={styles.mark}
          tabIndex={-1}
          checked={isMarked}
          onCheckedChange={(_, event) => onMark?.('shiftKey' in event && event.shiftKey === true)}
        >
          <span className="visually-hidden">Select {name}</span>
        </Checkbox>
      )}
      {item.durationSeconds !== null && (
        <span className={styles.duration}>{formatLength(item.durationSeconds)}</span>
      )}
      <span className={styles.caption} title={[name, ...facts].join(' · ')}>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <span className={styles.facts}>{facts.join(' · ')}</span>
      </span>
    </div>
  );
}

function Thumbnail({ media }: { media: Media }) {
  const [failed, setFailed] = useState(false);
  const url = getMediaUrl(media.id);
  if (media.kind === 'image' && !failed) {
    return <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />;
  }
  if (media.kind === 'video' && !failed) {
    return (
      <video
        src={`${url}#t=0.1`}
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
        aria-hidden="true"
        onError={() => setFailed(true)}
      />
    );
  }
  if (media.kind === 'audio') return <AudioOutline media={media} />;
  return <KindIcon kind={media.kind} />;
}

function KindIcon({ kind }: Pick<Media, 'kind'>) {
  const Icon = icons[kind];
  return <Icon size={28} />;
}

const BARS = 40;

/** Shows the icon if the audio can't be decoded. */
function AudioOutline({ media }: { media: Media }) {
  const { data } = useQuery({
    queryKey: ['audio outline', media.id],
    queryFn: ({ signal }) => loadMediaPeaks(media, { points: BARS, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (data === undefined || data.max.length === 0) return <KindIcon kind="audio" />;
  const bars = [...getLevels(data)]
    .map((level, x) => `M${x + 0.5} ${50 - Math.max(1, level * 40)}v${2 * Math.max(1, level * 40)}`)
    .join('');
  return (
    <svg
      className={styles.outline}
      viewBox={`0 0 ${data.max.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={bars} />
    </svg>
  );
}

const icons = { image: ImageIcon, video: VideoIcon, audio: SpeechIcon, file: FileIcon };

/** Returns the panel that created the item, or how the user added it. */
export function getOriginLabel({ role, run }: Pick<LibraryItem, 'role' | 'run'>): string {
  if (run !== null) return getPanelLabel(run.operation);
  switch (role) {
    case 'upload':
      return 'Upload';
    case 'recording':
      return 'Recording';
    case 'output':
      return 'Deleted run';
    case 'check':
      return 'Check';
  }
}
