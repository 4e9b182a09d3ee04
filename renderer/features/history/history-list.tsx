import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { RunSummary } from '../../../shared/run.ts';
import styles from './history-list.module.css';
import { HistoryRow } from './history-row.tsx';
import { between, toggled } from './selection.ts';

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

const nearEndPixels = 600;
const pageRows = 10;

/**
 * A list box: one tab stop; arrows move, with Shift they mark on the way, Space marks one,
 * Enter opens, Delete deletes.
 */
export function HistoryList(props: HistoryListProps) {
  const { runs, shownId, marked, onShow, onMark, onOpen, onDelete, onEndReached } = props;
  const list = useRef<VListHandle>(null);
  const anchor = useRef<string | null>(null);
  const shownIndex = runs.findIndex(({ id }) => id === shownId);
  const ids = () => runs.map(({ id }) => id);

  function moveTo(event: KeyboardEvent, index: number) {
    const run = runs[Math.max(0, Math.min(index, runs.length - 1))];
    if (run === undefined) return;
    event.preventDefault();
    if (event.shiftKey && shownId !== null) {
      anchor.current ??= shownId;
      onMark(between(ids(), anchor.current, run.id));
    } else {
      anchor.current = null;
    }
    onShow(run.id);
    list.current?.scrollToIndex(runs.indexOf(run), { align: 'nearest' });
  }

  function press(event: KeyboardEvent) {
    const shown = runs[shownIndex];
    const moves: Record<string, number> = {
      ArrowDown: shownIndex + 1,
      ArrowUp: shownIndex - 1,
      PageDown: shownIndex + pageRows,
      PageUp: shownIndex - pageRows,
      Home: 0,
      End: runs.length - 1,
    };
    const target = moves[event.key];
    if (target !== undefined) moveTo(event, target);
    else if (event.key === 'Enter' && shown !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      onOpen(shown);
    } else if (event.key === ' ' && shownId !== null) {
      event.preventDefault();
      onMark(toggled(marked, shownId));
    } else if (event.key === 'Delete' && shownId !== null) {
      event.preventDefault();
      onDelete(marked.size > 1 ? [...marked] : [shownId]);
    } else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onMark(new Set(ids()));
    } else if (event.key === 'Escape' && marked.size > 0) {
      event.preventDefault();
      event.stopPropagation();
      onMark(new Set());
    }
  }

  function click(event: MouseEvent, run: RunSummary) {
    if (event.shiftKey && shownId !== null) {
      anchor.current ??= shownId;
      onMark(between(ids(), anchor.current, run.id));
    } else if (event.ctrlKey || event.metaKey) {
      const before = marked.size === 0 && shownId !== null ? new Set([shownId]) : marked;
      onMark(toggled(before, run.id));
    } else {
      anchor.current = null;
      onMark(new Set());
    }
    onShow(run.id);
  }

  return (
    <VList
      ref={list}
      data={runs}
      bufferSize={1200}
      className={styles.list}
      role="listbox"
      aria-label="Runs"
      aria-multiselectable
      aria-activedescendant={shownIndex >= 0 ? optionId(shownId ?? '') : undefined}
      tabIndex={0}
      onKeyDown={press}
      onScroll={(offset) => {
        const handle = list.current;
        if (handle && offset + handle.viewportSize > handle.scrollSize - nearEndPixels) {
          onEndReached();
        }
      }}
    >
      {(run) => (
        <HistoryRow
          key={run.id}
          id={optionId(run.id)}
          run={run}
          shown={run.id === shownId}
          marked={marked.has(run.id)}
          onClick={(event) => click(event, run)}
          onOpen={() => onOpen(run)}
        />
      )}
    </VList>
  );
}

function optionId(runId: string): string {
  return `run-${runId}`;
}
