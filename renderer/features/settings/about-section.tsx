import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './settings.module.css';
import { UpdatesCard } from './updates-card.tsx';

const hosts = {
  desktop: 'Desktop window',
  browser: 'Browser (this machine only)',
} as const;

/** By what Node.js calls them. */
const platforms: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};

export function AboutSection() {
  const { data, error } = useQuery(orpc.system.info.queryOptions());
  if (error !== null) return <ErrorAlert error={toAppError(error)} />;
  if (data === undefined) return <Spinner label="Loading" />;
  const facts: [name: string, value: string, monospace: boolean][] = [
    ['Version', data.version, false],
    ['Running in', hosts[data.host], false],
    ['Platform', platforms[data.platform] ?? data.platform, false],
    ['Data folder', data.dataFolder, true],
    ['License', 'MIT', false],
  ];
  return (
    <>
      <p className={styles.intro}>
        Gatehouse is a playground for AI model gateways. Runs, conversations and settings stay in
        the data folder on this machine; requests go only to the connection you choose.
      </p>
      <dl className={styles.card}>
        {facts.map(([name, value, monospace]) => (
          <div key={name} className={styles.row}>
            <dt>{name}</dt>
            <dd className={styles.value}>
              {monospace ? <span className={styles.mono}>{value}</span> : value}
            </dd>
          </div>
        ))}
      </dl>
      <UpdatesCard />
    </>
  );
}
