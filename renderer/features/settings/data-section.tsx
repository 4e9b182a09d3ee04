import { useQuery } from '@tanstack/react-query';
import type { DiskUse } from '../../../shared/contract/system.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatBytes, pluralize } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Backup } from './backup.tsx';
import { ClearData } from './clear-data.tsx';
import { Retention } from './retention.tsx';
import styles from './settings.module.css';

const labels: Record<DiskUse['kind'], string> = {
  database: 'Runs and conversations',
  events: 'Streams in progress',
  image: 'Images',
  audio: 'Audio',
  video: 'Videos',
  file: 'Other files',
  waveforms: 'Waveforms',
  logs: 'Logs',
};

export function DataSection() {
  return (
    <>
      <DiskSpace />
      <Backup />
      <Retention />
      <ClearData />
    </>
  );
}

function DiskSpace() {
  const { data, error, refetch } = useQuery({
    ...orpc.system.diskUse.queryOptions(),
    refetchOnMount: 'always',
  });
  if (error !== null)
    return <ErrorAlert error={toAppError(error)} onRetry={() => void refetch()} />;
  if (data === undefined) return <Spinner label="Measuring disk use" />;
  const total = data.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <p className={styles.intro}>Disk space that Gatehouse uses in its data folder.</p>
      <dl className={styles.card}>
        {data.map(({ kind, bytes, items }) => (
          <div key={kind} className={styles.row}>
            <dt>{labels[kind]}</dt>
            <dd className={styles.value}>
              {items !== null && items > 0 && `${pluralize(items, 'file')} · `}
              {formatBytes(bytes)}
            </dd>
          </div>
        ))}
        <div className={classNames(styles.row, styles.total)}>
          <dt>Total</dt>
          <dd className={styles.value}>{formatBytes(total)}</dd>
        </div>
      </dl>
    </>
  );
}
