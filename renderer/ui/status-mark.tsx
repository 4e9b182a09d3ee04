import { classNames } from './class-names.ts';
import styles from './status-mark.module.css';
import { Tooltip } from './tooltip.tsx';

export interface StatusLabel {
  label: string;
  tone: 'active' | 'success' | 'danger' | 'warning' | 'quiet';
}

interface StatusMarkProps extends StatusLabel {
  reason?: string | null;
  className?: string | undefined;
}

/** Shows a dot and a word, because color alone isn't accessible. */
export function StatusMark({ label, tone, reason = null, className }: StatusMarkProps) {
  const mark = (
    <span className={classNames(styles.mark, styles[tone], className)}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.label}>{label}</span>
    </span>
  );
  return reason === null ? mark : <Tooltip text={reason}>{mark}</Tooltip>;
}
