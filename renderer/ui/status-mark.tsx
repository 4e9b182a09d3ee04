import { classNames } from './class-names.ts';
import styles from './status-mark.module.css';
import { Tooltip } from './tooltip.tsx';

export interface StatusLabel {
  label: string;
  tone: 'active' | 'success' | 'danger' | 'warning' | 'quiet';
}

interface StatusMarkProps extends StatusLabel {
  /** Why it is so, in a tooltip. */
  reason?: string | null;
  className?: string | undefined;
}

/** A dot and the word for it: color is never the only sign. */
export function StatusMark({ label, tone, reason = null, className }: StatusMarkProps) {
  return (
    <Tooltip text={reason}>
      <span className={classNames(styles.mark, styles[tone], className)}>
        <span className={styles.dot} aria-hidden="true" />
        {label}
      </span>
    </Tooltip>
  );
}
