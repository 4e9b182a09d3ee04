import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { RunSummary } from '../../../shared/run.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './run-list.module.css';

interface RunListProps {
  /** Newest first. */
  runs: RunSummary[];
  shownId: string | null;
  /** Further runs that are selected; undefined where only one ever is. */
  marked?: ReadonlySet<string>;
  className?: string | undefined;
  /** By a key that moves or by a click, whose modifiers may mean more. */
  onShow: (run: RunSummary, event: KeyboardEvent | MouseEvent) => void;
  onOpen?: (run: RunSummary) => void;
  /** Keys that do not move. */
  onKeyDown?: (event: KeyboardEvent) => void;
  onEndReached: () => void;
  /** One row. */
  children: (run: RunSummary) => ReactNode;
}

const nearEndPixels = 600;
const pageRows = 10;

/** Runs as a list box: one tab stop, the arrow keys move. */
export function RunList(props: RunListProps) {
  const { runs, shownId, marked, className, onShow, onOpen, onKeyDown, onEndReached } = props;
  const list = useRef<VListHandle>(null);
  const shownIndex = runs.findIndex(({ id }) => id === shownId);
  // The inspector is in the page beside the history: an option of each may be the same run.
  const listId = useId();
  const optionId = (runId: string) => `${listId}-${runId}`;

  function press(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowDown: shownIndex + 1,
      ArrowUp: shownIndex - 1,
      PageDown: shownIndex + pageRows,
      PageUp: shownIndex - pageRows,
      Home: 0,
      End: runs.length - 1,
    };
    const target = moves[event.key];
    if (target === undefined) return onKeyDown?.(event);
    const index = Math.max(0, Math.min(target, runs.length - 1));
    const run = runs[index];
    if (run === undefined) return;
    event.preventDefault();
    onShow(run, event);
    list.current?.scrollToIndex(index, { align: 'nearest' });
  }

  return (
    <VList
      ref={list}
      data={runs}
      bufferSize={1200}
      className={classNames(styles.list, className)}
      role="listbox"
      aria-label="Runs"
      aria-multiselectable={marked === undefined ? undefined : true}
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
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it takes the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the list box.
        <div
          key={run.id}
          id={optionId(run.id)}
          role="option"
          aria-selected={run.id === shownId || marked?.has(run.id) === true}
          data-shown={run.id === shownId || undefined}
          data-marked={marked?.has(run.id) || undefined}
          className={styles.row}
          onClick={(event) => onShow(run, event)}
          onDoubleClick={() => onOpen?.(run)}
        >
          {props.children(run)}
        </div>
      )}
    </VList>
  );
}
