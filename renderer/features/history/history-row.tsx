import type { MouseEvent } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import { formatClock, formatDuration } from '../../lib/format-quantity.ts';
import { panelLabel } from '../../lib/panels.ts';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import styles from './history-list.module.css';

interface HistoryRowProps {
  id: string;
  run: RunSummary;
  shown: boolean;
  marked: boolean;
  onClick: (event: MouseEvent) => void;
  onOpen: () => void;
}

export function HistoryRow({ id, run, shown, marked, onClick, onOpen }: HistoryRowProps) {
  const duration = run.finishedAt === null ? null : run.finishedAt - run.createdAt;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it takes the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the list box.
    <div
      id={id}
      role="option"
      aria-selected={shown || marked}
      data-shown={shown || undefined}
      data-marked={marked || undefined}
      className={styles.row}
      onClick={onClick}
      onDoubleClick={onOpen}
    >
      <span className={styles.line}>
        <span className={styles.operation}>{panelLabel(run.operation)}</span>
        <span className={styles.model}>{run.model}</span>
        <time className={styles.time} dateTime={new Date(run.createdAt).toISOString()}>
          {formatClock(run.createdAt, Date.now())}
        </time>
      </span>
      <span className={styles.preview}>{run.preview || '–'}</span>
      <span className={styles.line}>
        <RunStatusMark status={run.status} />
        <span className={styles.connection}>{run.connectionName}</span>
        {duration !== null && <span className={styles.time}>{formatDuration(duration)}</span>}
      </span>
    </div>
  );
}
