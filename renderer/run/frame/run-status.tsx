import type { RunStatus } from '../../../shared/run.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './run-status.module.css';

/** A dot and the word for it: colour is never the only sign. */
export function RunStatusMark({ status }: { status: RunStatus }) {
  return (
    <span className={classNames(styles.status, styles[status])}>
      <span className={styles.dot} aria-hidden="true" />
      {statusLabel(status)}
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
