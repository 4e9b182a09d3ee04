import { useMutation, useQuery } from '@tanstack/react-query';
import type { UpdateState } from '../../../shared/contract/updates.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { formatBytes, formatClock } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FeedField } from './feed-field.tsx';
import styles from './settings.module.css';

/** Where newer versions come from, and how far one is. */
export function UpdatesCard() {
  const { data, error } = useQuery(orpc.updates.status.queryOptions());
  const check = useMutation(orpc.updates.check.mutationOptions());
  const download = useMutation(orpc.updates.download.mutationOptions());
  const install = useMutation(orpc.updates.install.mutationOptions());
  const { connections } = useConnections();
  if (error !== null) return <ErrorAlert error={toAppError(error)} />;
  if (data === undefined) return null;
  const { update } = data;
  const losesKey = connections.some(({ key }) => key?.protection === 'environment');
  const steps = { check, download, install };
  const step = nextStep(update);
  const failure = check.error ?? download.error ?? install.error;
  return (
    <>
      <div className={styles.card}>
        {update.state !== 'unavailable' && <FeedField />}
        <div className={styles.row}>
          <div className={styles.rowText}>
            <span>Updates</span>
            <span className={styles.rowHelp} role="status">
              {describeUpdate(update)}
            </span>
            {update.state === 'downloaded' && losesKey && (
              <span className={styles.rowHelp}>{KEY_IS_LOST}</span>
            )}
            {update.state === 'downloading' && update.totalBytes !== null && (
              <span className={styles.rowHelp}>
                {formatBytes(update.receivedBytes)} of {formatBytes(update.totalBytes)}
              </span>
            )}
          </div>
          {step !== null && (
            <Button
              busy={step.busy}
              onClick={() => {
                for (const { reset } of Object.values(steps)) reset();
                steps[step.name].mutate(undefined);
              }}
            >
              {step.label}
            </Button>
          )}
        </div>
      </div>
      {update.state === 'failed' && <ErrorAlert error={update.error} />}
      {failure !== null && <ErrorAlert error={toAppError(failure)} />}
    </>
  );
}

/** The variable is taken out of what Gatehouse starts, itself included. */
const KEY_IS_LOST =
  'The restart does not keep GATEHOUSE_API_KEY. To use it again, quit Gatehouse and start it from your terminal.';

interface UpdateStep {
  name: 'check' | 'download' | 'install';
  label: string;
  busy: boolean;
}

/** The one button; it stays while its step is under way. Null if there is nothing to press. */
function nextStep(update: UpdateState): UpdateStep | null {
  const step = (name: UpdateStep['name'], label: string, busy = false) => ({ name, label, busy });
  switch (update.state) {
    case 'unavailable':
    case 'off':
      return null;
    case 'unchecked':
    case 'current':
      return step('check', 'Check for updates');
    case 'checking':
      return step('check', 'Check for updates', true);
    case 'available':
      return step('download', 'Download');
    case 'downloading':
      return step('download', 'Download', true);
    case 'downloaded':
      return step('install', 'Restart and install');
    case 'installing':
      return step('install', 'Restart and install', true);
    case 'failed':
      return update.version === null
        ? step('check', 'Check for updates')
        : step('download', 'Download again');
  }
}

function describeUpdate(update: UpdateState): string {
  switch (update.state) {
    case 'unavailable':
      return update.reason;
    case 'off':
      return 'Off. Enter a feed URL to turn them on.';
    case 'unchecked':
      return 'Not checked yet.';
    case 'checking':
      return 'Checking…';
    case 'current':
      return `Gatehouse is up to date. Checked ${formatClock(update.checkedAt, Date.now())}.`;
    case 'available':
      return `Gatehouse ${update.version} is available.`;
    case 'downloading':
      return `Downloading Gatehouse ${update.version}…`;
    case 'downloaded':
      return `Gatehouse ${update.version} is downloaded. Installing it restarts Gatehouse.`;
    case 'installing':
      return `Installing Gatehouse ${update.version}…`;
    case 'failed':
      return update.version === null ? 'The check failed.' : 'The update failed.';
  }
}
