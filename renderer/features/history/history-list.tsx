import { type KeyboardEvent, type MouseEvent, useCallback, useRef } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import type { RunSort } from '../../../shared/run-sort.ts';
import { RunList } from '../../run/list/run-list.tsx';
import { HistoryHeader } from './history-header.tsx';
import styles from './history-list.module.css';
import { HistoryRow } from './history-row.tsx';
import {
  getEntry,
  getIdsBetweenRows,
  type HistoryEntry,
  type RunGroups,
  toggle,
  undoKey,
} from './history-store.ts';

interface HistoryListProps {
  /** A comparison appears as its newest run, and a check as its first. */
  runs: RunSummary[];
  groups: RunGroups;
  sort: RunSort;
  shownId: string | null;
  marked: ReadonlySet<string>;
  onSort: (sort: RunSort) => void;
  onShow: (entry: HistoryEntry) => void;
  onMark: (marked: ReadonlySet<string>) => void;
  onOpen: (entry: HistoryEntry) => void;
  onDelete: (ids: readonly string[]) => void;
  onEndReached: () => void;
}

/** Shift extends the selection, Space toggles a row, Enter opens it and Delete deletes it. */
export function HistoryList(props: HistoryListProps) {
  const { runs, groups, shownId, marked, onShow, onMark, onOpen, onDelete, onEndReached } = props;
  const anchor = useRef<string | null>(null);
  const lastMarked = useRef<string | null>(null);
  const getKey = useCallback((run: RunSummary) => getEntry(run, groups).id, [groups]);
  const ids = () => runs.map(getKey);

  function show(run: RunSummary, event: KeyboardEvent | MouseEvent) {
    const entry = getEntry(run, groups);
    const clicked = event.type === 'click';
    if (event.shiftKey && shownId !== null) {
      anchor.current ??= shownId;
      onMark(getIdsBetweenRows(ids(), anchor.current, entry.id));
    } else if (clicked && (event.ctrlKey || event.metaKey)) {
      const before = marked.size === 0 && shownId !== null ? new Set([shownId]) : marked;
      onMark(toggle(before, entry.id));
    } else {
      anchor.current = null;
      if (clicked) onMark(new Set());
    }
    onShow(entry);
  }

  function mark(id: string, isRange: boolean) {
    const from = lastMarked.current;
    lastMarked.current = id;
    if (isRange && from !== null)
      onMark(new Set([...marked, ...getIdsBetweenRows(ids(), from, id)]));
    else onMark(toggle(marked, id));
  }

  function press(event: KeyboardEvent) {
    const shown = runs.find((run) => getKey(run) === shownId);
    if (event.key === 'Enter' && shown !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      onOpen(getEntry(shown, groups));
    } else if (event.key === ' ' && shownId !== null) {
      event.preventDefault();
      mark(shownId, false);
    } else if (event.key === 'Delete' && shownId !== null) {
      event.preventDefault();
      // Ignore key repeat, which would also delete the next run.
      if (!event.repeat) onDelete(marked.has(shownId) ? [...marked] : [shownId]);
    } else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onMark(new Set(ids()));
    } else if (event.key === 'Escape' && marked.size > 0) {
      event.preventDefault();
      event.stopPropagation();
      onMark(new Set());
    }
  }

  return (
    <div className={styles.list}>
      <HistoryHeader
        sort={props.sort}
        onSort={props.onSort}
        marked={marked.size}
        listed={runs.length}
        onMarkAll={(isMarked) => onMark(new Set(isMarked ? ids() : []))}
      />
      <RunList
        name={undoKey}
        runs={runs}
        shownId={shownId}
        marked={marked}
        className={styles.runs}
        onShow={show}
        getKey={getKey}
        getLabel={(run) => {
          const { comparison, check } = getEntry(run, groups);
          const title = check?.title ?? comparison?.title ?? (run.preview || run.model);
          return `${title} ${check === null ? run.operation : 'check'}`;
        }}
        onOpen={(run) => onOpen(getEntry(run, groups))}
        onKeyDown={press}
        onEndReached={onEndReached}
      >
        {(run) => {
          const entry = getEntry(run, groups);
          return (
            <HistoryRow
              entry={entry}
              isMarked={marked.has(entry.id)}
              onMark={(isRange) => mark(entry.id, isRange)}
            />
          );
        }}
      </RunList>
    </div>
  );
}
