import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import { panelLabel } from '../../lib/panels.ts';
import { RunList } from '../../run/list/run-list.tsx';
import { RunRow } from '../../run/list/run-row.tsx';
import styles from './history.module.css';
import { between, toggled, undoPlace } from './history-store.ts';

interface HistoryListProps {
  /** Newest first. */
  runs: RunSummary[];
  shownId: string | null;
  marked: ReadonlySet<string>;
  onShow: (runId: string) => void;
  onMark: (marked: ReadonlySet<string>) => void;
  onOpen: (run: RunSummary) => void;
  onDelete: (runIds: readonly string[]) => void;
  onEndReached: () => void;
}

/**
 * The list box of runs, where several can be marked: Shift marks on the way, Space marks one, Enter
 * opens, Delete deletes.
 */
export function HistoryList(props: HistoryListProps) {
  const { runs, shownId, marked, onShow, onMark, onOpen, onDelete, onEndReached } = props;
  const anchor = useRef<string | null>(null);
  const ids = () => runs.map(({ id }) => id);

  function show(run: RunSummary, event: KeyboardEvent | MouseEvent) {
    const clicked = event.type === 'click';
    if (event.shiftKey && shownId !== null) {
      anchor.current ??= shownId;
      onMark(between(ids(), anchor.current, run.id));
    } else if (clicked && (event.ctrlKey || event.metaKey)) {
      const before = marked.size === 0 && shownId !== null ? new Set([shownId]) : marked;
      onMark(toggled(before, run.id));
    } else {
      anchor.current = null;
      if (clicked) onMark(new Set());
    }
    onShow(run.id);
  }

  function press(event: KeyboardEvent) {
    const shown = runs.find(({ id }) => id === shownId);
    if (event.key === 'Enter' && shown !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      onOpen(shown);
    } else if (event.key === ' ' && shownId !== null) {
      event.preventDefault();
      onMark(toggled(marked, shownId));
    } else if (event.key === 'Delete' && shownId !== null) {
      event.preventDefault();
      // Held down, it would delete the next run too.
      if (!event.repeat) onDelete(marked.size > 1 ? [...marked] : [shownId]);
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
    <RunList
      name={undoPlace}
      runs={runs}
      shownId={shownId}
      marked={marked}
      className={styles.runs}
      onShow={show}
      onOpen={onOpen}
      onKeyDown={press}
      onEndReached={onEndReached}
    >
      {(run) => (
        <RunRow
          run={run}
          heading={panelLabel(run.operation)}
          preview={run.preview || '–'}
          detail={run.connectionName}
        />
      )}
    </RunList>
  );
}
