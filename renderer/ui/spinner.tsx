import styles from './spinner.module.css';

export interface SpinnerProps {
  /** Pixels; 12 by default. */
  size?: number;
  /** Announced if the spinner has no text next to it. */
  label?: string;
}

export function Spinner({ size = 12, label }: SpinnerProps) {
  const style = { width: size, height: size };
  if (label === undefined) {
    return <span className={styles.spinner} style={style} aria-hidden="true" />;
  }
  return <span className={styles.spinner} style={style} role="status" aria-label={label} />;
}
