import { useQuery } from '@tanstack/react-query';
import type { ConnectionTest } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatDuration } from '../../lib/format-quantity.ts';
import { queryClient } from '../../lib/query-client.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons/status.tsx';
import styles from './connections.module.css';

function getTest(id: string) {
  return { ...orpc.connections.test.queryOptions({ input: { id } }), staleTime: 0 };
}

export function useConnectionTest(id: string) {
  return useQuery({ ...getTest(id), enabled: false });
}

export function testConnection(id: string): Promise<ConnectionTest> {
  return queryClient.fetchQuery(getTest(id));
}

interface ConnectionTestResultProps {
  found: ConnectionTest | undefined;
  failure: Error | null;
}

export function ConnectionTestResult({ found, failure }: ConnectionTestResultProps) {
  if (failure !== null) return <ErrorAlert error={toAppError(failure)} />;
  if (found === undefined) return null;
  if (found.error !== null) return <ErrorAlert error={found.error} />;
  return (
    <div role="status" className={styles.answer} data-ok={found.ok}>
      {found.ok ? <CheckIcon /> : <WarningIcon />}
      <div className={styles.about}>
        <p>{found.summary}</p>
        <p className={classNames(styles.url, 'truncate mono')}>
          GET {found.url} · {found.status} · {formatDuration(found.durationMs)}
        </p>
      </div>
    </div>
  );
}
