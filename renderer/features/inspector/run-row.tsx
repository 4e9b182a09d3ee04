import type { RunSummary } from '../../../shared/run.ts';
import { formatClock, formatDuration } from '../../lib/format-quantity.ts';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import styles from './run-list.module.css';

interface RunRowProps {
  id: string;
  run: RunSummary;
  shown: boolean;
  onShow: () => void;
}

export function RunRow({ id, run, shown, onShow }: RunRowProps) {
  const duration = run.finishedAt === null ? null : run.finishedAt - run.createdAt;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it takes the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the list box.
    <div
      id={id}
      role="option"
      aria-selected={shown}
      data-shown={shown || undefined}
      className={styles.row}
      onClick={onShow}
    >
      <span className={styles.line}>
        <span className={styles.model}>{run.model === '' ? run.preview : run.model}</span>
        <time className={styles.time} dateTime={new Date(run.createdAt).toISOString()}>
          {formatClock(run.createdAt, Date.now())}
        </time>
      </span>
      <span className={styles.line}>
        <RunStatusMark status={run.status} />
        <span className={styles.operation}>{run.operation}</span>
        {duration !== null && <span className={styles.time}>{formatDuration(duration)}</span>}
      </span>
    </div>
  );
}
