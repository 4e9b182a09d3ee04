// Hand-written because Base UI has no spinner.
import type { ComponentProps } from 'react';
import styles from './spinner.module.css';

export interface SpinnerProps {
  /** The size in pixels; the default is 12. */
  size?: number;
  /** The accessible name, required if there is no text next to the spinner. */
  label?: string;
}

export function Spinner({ size = 12, label }: SpinnerProps) {
  const style = { width: size, height: size };
  if (label === undefined) {
    return <span className={styles.spinner} style={style} aria-hidden="true" />;
  }
  return <span className={styles.spinner} style={style} role="status" aria-label={label} />;
}

/** Shows a spinner with text that describes the pending work. */
export function Waiting(props: ComponentProps<'p'>) {
  return (
    <p {...props} className="row-8 caption">
      <Spinner />
      <span>{props.children}</span>
    </p>
  );
}
