import { type KeyboardEvent, useRef } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { RunSummary } from '../../../shared/run.ts';
import styles from './run-list.module.css';
import { RunRow } from './run-row.tsx';

interface RunListProps {
  /** Newest first. */
  runs: RunSummary[];
  shownId: string | null;
  onShow: (runId: string) => void;
  onEndReached: () => void;
}

const nearEndPixels = 400;

/** The runs as a list box: one tab stop, arrow keys move. */
export function RunList({ runs, shownId, onShow, onEndReached }: RunListProps) {
  const list = useRef<VListHandle>(null);
  const shownIndex = runs.findIndex(({ id }) => id === shownId);

  function moveTo(event: KeyboardEvent, index: number) {
    const run = runs[Math.max(0, Math.min(index, runs.length - 1))];
    if (run === undefined) return;
    event.preventDefault();
    onShow(run.id);
    list.current?.scrollToIndex(runs.indexOf(run), { align: 'nearest' });
  }

  return (
    <VList
      ref={list}
      data={runs}
      bufferSize={1200}
      className={styles.list}
      role="listbox"
      aria-label="Runs"
      aria-activedescendant={shownIndex >= 0 ? optionId(shownId ?? '') : undefined}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') moveTo(event, shownIndex + 1);
        if (event.key === 'ArrowUp') moveTo(event, shownIndex - 1);
        if (event.key === 'Home') moveTo(event, 0);
        if (event.key === 'End') moveTo(event, runs.length - 1);
      }}
      onScroll={(offset) => {
        const handle = list.current;
        if (handle && offset + handle.viewportSize > handle.scrollSize - nearEndPixels) {
          onEndReached();
        }
      }}
    >
      {(run) => (
        <RunRow
          key={run.id}
          id={optionId(run.id)}
          run={run}
          shown={run.id === shownId}
          onShow={() => onShow(run.id)}
        />
      )}
    </VList>
  );
}

function optionId(runId: string): string {
  return `inspected-${runId}`;
}
