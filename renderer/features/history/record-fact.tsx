import type { ReactNode } from 'react';
import styles from './run-record.module.css';

/** One of the facts under a record's head, in a `dl`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
