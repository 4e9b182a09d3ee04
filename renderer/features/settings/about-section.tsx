import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UpdateState } from '../../../shared/contract/updates.ts';
import { findFeedProblem } from '../../../shared/update-feed.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { formatBytes, formatClock } from '../../lib/format-quantity.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './settings.module.css';

const hosts = {
  desktop: 'Desktop app',
  browser: 'Browser version (your computer only)',
} as const;

/** Keyed by `process.platform`. */
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
        Gatehouse is a playground for AI model gateways. Your data stays in the data folder on this
        computer; requests go only to the connection you choose.
      </p>
      <dl className={styles.card}>
        {facts.map(([name, value, monospace]) => (
          <div key={name} className={styles.row}>
            <dt>{name}</dt>
            <dd className={styles.value}>
              {monospace ? <span className="mono">{value}</span> : value}
            </dd>
          </div>
        ))}
      </dl>
      <UpdatesCard />
    </>
  );
}

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
  const { text, step, busy = false, label } = describeUpdate(update);
  const failure = check.error ?? download.error ?? install.error;
  return (
    <>
      <div className={styles.card}>
        {update.state !== 'unavailable' && <FeedField />}
        <div className={styles.row}>
          <div className={styles.rowText}>
            <span>Updates</span>
            <span className={classNames(styles.rowHelp, 'hint')} role="status">
              {text}
            </span>
            {update.state === 'downloaded' && losesKey && (
              <span className={classNames(styles.rowHelp, 'hint')}>{KEY_LOST_NOTE}</span>
            )}
            {update.state === 'downloading' && update.totalBytes !== null && (
              <span className={classNames(styles.rowHelp, 'hint')}>
                {formatBytes(update.receivedBytes)} of {formatBytes(update.totalBytes)}
              </span>
            )}
          </div>
          {step !== undefined && (
            <Button
              busy={busy}
              onClick={() => {
                for (const { reset } of Object.values(steps)) reset();
                steps[step].mutate(undefined);
              }}
            >
              {label ?? stepLabels[step]}
            </Button>
          )}
        </div>
      </div>
      {update.state === 'failed' && <ErrorAlert error={update.error} />}
      {failure !== null && <ErrorAlert error={toAppError(failure)} />}
    </>
  );
}

/** Gatehouse removes the variable from its child processes' environment, so a restart loses it. */
const KEY_LOST_NOTE =
  'GATEHOUSE_API_KEY is lost on restart. To keep using it, quit and start Gatehouse from your terminal.';

interface DescribedUpdate {
  text: string;
  /** Undefined if there is nothing to do. */
  step?: 'check' | 'download' | 'install';
  busy?: boolean;
  label?: string;
}

const stepLabels = {
  check: 'Check for updates',
  download: 'Download',
  install: 'Restart and install',
};

function describeUpdate(update: UpdateState): DescribedUpdate {
  switch (update.state) {
    case 'unavailable':
      return { text: update.reason };
    case 'off':
      return { text: 'Updates are off. Enter a feed URL to turn them on.' };
    case 'unchecked':
      return { text: 'Not checked yet.', step: 'check' };
    case 'checking':
      return { text: 'Checking…', step: 'check', busy: true };
    case 'current': {
      const checked = formatClock(update.checkedAt, Date.now());
      return { text: `Gatehouse is up to date. Checked ${checked}.`, step: 'check' };
    }
    case 'available':
      return { text: `Gatehouse ${update.version} is available.`, step: 'download' };
    case 'downloading':
      return { text: `Downloading Gatehouse ${update.version}…`, step: 'download', busy: true };
    case 'downloaded':
      return {
        text: `Gatehouse ${update.version} is downloaded. Installing it restarts Gatehouse.`,
        step: 'install',
      };
    case 'installing':
      return { text: `Installing Gatehouse ${update.version}…`, step: 'install', busy: true };
    case 'failed':
      return update.version === null
        ? { text: 'The check failed.', step: 'check' }
        : { text: 'The update failed.', step: 'download', label: 'Download again' };
  }
}

/** Saves on blur and on Enter. */
function FeedField() {
  const { updateFeedUrl } = useSettings();
  const update = useUpdateSettings();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  function save(): void {
    if (typed === null) return;
    const text = typed.trim();
    const found = text === '' ? null : findFeedProblem(text);
    setProblem(found);
    if (found !== null) return;
    setTyped(null);
    const url = text === '' ? null : text;
    if (url !== updateFeedUrl) update.mutate({ updateFeedUrl: url });
  }

  return (
    <div className={styles.row}>
      <TextField
        label="Update feed URL"
        help="Gatehouse checks at startup and daily. Leave blank to turn updates off."
        className={styles.feed}
        value={typed ?? updateFeedUrl ?? ''}
        placeholder="https://updates.example.com/gatehouse"
        error={problem}
        onValueChange={(text) => {
          setTyped(text);
          setProblem(null);
        }}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
        }}
      />
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} compact />}
    </div>
  );
}
