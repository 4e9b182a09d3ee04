import type { RunStatus, RunSummary } from '../../../shared/run.ts';
import { classNames } from '../../ui/class-names.ts';
import { tooltip } from '../../ui/tooltip.ts';
import styles from './run-status.module.css';

interface RunStatusMarkProps {
  run: Pick<RunSummary, 'status' | 'figures'>;
}

/** A dot and the word for it: color is never the only sign. The reason for no result is in a tooltip. */
export function RunStatusMark({ run: { status, figures } }: RunStatusMarkProps) {
  const noResult = figures?.noResult ?? null;
  return (
    <span
      className={classNames(styles.status, noResult === null ? styles[status] : styles.noResult)}
      {...(noResult !== null && tooltip(noResult))}
    >
      <span className={styles.dot} aria-hidden="true" />
      {noResult === null ? statusLabel(status) : 'No result'}
    </span>
  );
}

const labels: Record<RunStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Stopped',
  interrupted: 'Interrupted',
  unknown: 'Outcome unknown',
};

export const runStatuses = Object.keys(labels) as RunStatus[];

export function statusLabel(status: RunStatus): string {
  return labels[status];
}
