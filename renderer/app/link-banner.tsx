import { useLinkState } from '../lib/link-state.ts';
import { Spinner } from '../ui/spinner.tsx';
import styles from './banner.module.css';

/** Quiet: what is written stays, and Gatehouse tries again by itself. */
export function LinkBanner() {
  const connection = useLinkState();
  if (connection !== 'lost') return null;
  return (
    <div role="status" className={styles.banner} data-level="warning">
      <Spinner />
      <p className={styles.text}>
        Connection to Gatehouse lost; trying again. What you have written stays.
      </p>
    </div>
  );
}
