import type { RunStatus } from '../../../shared/run.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './run-status.module.css';
import { statusLabel } from './run-statuses.ts';

/** A dot and the word for it: colour is never the only sign. */
export function RunStatusMark({ status }: { status: RunStatus }) {
  return (
    <span className={classNames(styles.status, styles[status])}>
      <span className={styles.dot} aria-hidden="true" />
      {statusLabel(status)}
    </span>
  );
}
