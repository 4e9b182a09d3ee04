import type { ConnectionTest } from '../../../shared/connection.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatDuration } from '../../lib/format-quantity.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons/status.tsx';
import styles from './connections.module.css';

interface ConnectionTestResultProps {
  found: ConnectionTest | undefined;
  /** The test itself could not be made. */
  failure: Error | null;
}

/** What answered the one harmless request, where the user pressed Test or Save. */
export function ConnectionTestResult({ found, failure }: ConnectionTestResultProps) {
  if (failure !== null) return <ErrorAlert error={toAppError(failure)} />;
  if (found === undefined) return null;
  if (found.error !== null) return <ErrorAlert error={found.error} />;
  return (
    <div role="status" className={styles.answer} data-ok={found.ok}>
      {found.ok ? <CheckIcon /> : <WarningIcon />}
      <div className={styles.about}>
        <p>{found.summary}</p>
        <p className={styles.url}>
          GET {found.url} · {found.status} · {formatDuration(found.durationMs)}
        </p>
      </div>
    </div>
  );
}
