import { classNames } from '../../ui/class-names.ts';
import styles from './task-mark.module.css';
import type { TaskPhase } from './task-phase.ts';

/** A dot and the word for it: colour is never the only sign. */
export function TaskMark({ phase: { label, tone } }: { phase: TaskPhase }) {
  return (
    <span className={classNames(styles.mark, styles[tone])}>
      <span className={styles.dot} aria-hidden="true" />
      {label}
    </span>
  );
}
