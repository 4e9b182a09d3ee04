import { classNames } from '../../ui/class-names.ts';
import type { TaskLabel } from './describe-task.ts';
import styles from './task-mark.module.css';

/** A dot and the word for it: colour is never the only sign. */
export function TaskMark({ task: { label, tone } }: { task: TaskLabel }) {
  return (
    <span className={classNames(styles.mark, styles[tone])}>
      <span className={styles.dot} aria-hidden="true" />
      {label}
    </span>
  );
}
