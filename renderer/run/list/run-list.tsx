import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { VList, type VListHandle } from 'virtua';
import type { RunSummary } from '../../../shared/run.ts';
import { getTotalMs, timingTooltips } from '../../../shared/run-times.ts';
import { formatClock, formatDuration } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import { useRovingList } from '../../ui/roving-list.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { RunStatusMark } from '../frame/run-status.tsx';
import styles from './run-list.module.css';

interface RunListProps {
  /** The list's name for `focusRow`. */
  name?: string;
  label?: string;
  runs: RunSummary[];
  /** Returns the row's key; defaults to the run ID. */
  getKey?: (run: RunSummary) => string;
  /** Returns the text that type-ahead matches; defaults to the prompt or model. */
  getLabel?: (run: RunSummary) => string;
  shownId: string | null;
  /** Keys of additional selected rows; undefined in a single-selection list. */
  marked?: ReadonlySet<string>;
  className?: string | undefined;
  onShow: (run: RunSummary, event: KeyboardEvent | MouseEvent) => void;
  onOpen?: (run: RunSummary) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onEndReached: () => void;
  children: (run: RunSummary) => ReactNode;
}

const nearEndPixels = 600;

/** Renders a list box with a single Tab stop; focusing a row shows its run. */
export function RunList(props: RunListProps) {
  const { name, runs, shownId, marked, className, onShow, onOpen, onKeyDown, onEndReached } = props;
  const { label = 'Runs', getKey = getId, getLabel = getDefaultLabel } = props;
  const list = useRef<VListHandle>(null);
  const keys = useMemo(() => runs.map(getKey), [runs, getKey]);
  const roving = useRovingList({
    name,
    keys,
    currentKey: shownId,
    getItemText(index) {
      const run = runs[index];
      return run === undefined ? '' : getLabel(run);
    },
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
    onMove: (index, event) => {
      const run = runs[index];
      if (run !== undefined) onShow(run, event);
    },
  });

  // If a run was chosen elsewhere, scroll to it once the list has loaded it.
  const shownIndex = keys.indexOf(shownId ?? '');
  const inView = useRef<string | null>(null);
  useEffect(() => {
    if (shownIndex === -1 || inView.current === shownId) return;
    inView.current = shownId;
    list.current?.scrollToIndex(shownIndex, { align: 'nearest' });
  }, [shownIndex, shownId]);

  return (
    <VList
      ref={list}
      data={runs}
      bufferSize={1200}
      className={classNames(styles.list, className)}
      role="listbox"
      aria-label={label}
      aria-multiselectable={marked === undefined ? undefined : true}
      keepMounted={[roving.stop]}
      {...roving.listProps}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        roving.listProps.onKeyDown(event);
      }}
      onScroll={(offset) => {
        const handle = list.current;
        if (handle && offset + handle.viewportSize > handle.scrollSize - nearEndPixels) {
          onEndReached();
        }
      }}
    >
      {(run, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it takes the keys.
        <div
          key={getKey(run)}
          data-row={getKey(run)}
          tabIndex={roving.getTabIndex(index)}
          role="option"
          aria-selected={getKey(run) === shownId || marked?.has(getKey(run)) === true}
          data-shown={getKey(run) === shownId || undefined}
          data-marked={marked?.has(getKey(run)) || undefined}
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

function getId({ id }: RunSummary): string {
  return id;
}

function getDefaultLabel({ preview, model, operation }: RunSummary): string {
  return `${preview || model} ${operation}`;
}

interface RunRowProps {
  run: RunSummary;
  heading?: string;
  preview?: string;
  detail: string;
}

export function RunRow({ run, heading, preview, detail }: RunRowProps) {
  const total = getTotalMs(run);
  return (
    <>
      <span className={styles.line}>
        {heading !== undefined && <span className={styles.heading}>{heading}</span>}
        <span className={styles.model}>
          {run.model === '' && preview === undefined ? run.preview : run.model}
        </span>
        <time className={styles.time} dateTime={new Date(run.createdAt).toISOString()}>
          {formatClock(run.createdAt, Date.now())}
        </time>
      </span>
      {preview !== undefined && <span className={styles.preview}>{preview}</span>}
      <span className={styles.line}>
        <RunStatusMark run={run} />
        <span className={styles.detail}>{detail}</span>
        {total !== null && (
          <Tooltip text={`Total. ${timingTooltips.total}`}>
            <span className={styles.time}>{formatDuration(total)}</span>
          </Tooltip>
        )}
      </span>
    </>
  );
}
