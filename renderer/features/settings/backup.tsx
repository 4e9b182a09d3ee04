import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CheckedBackup, DataContents } from '../../../shared/contract/backups.ts';
import { api, orpc } from '../../lib/api.ts';
import { formatBytes, formatCount, formatDate } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { Progress } from '../../ui/progress.tsx';
import {
  type BackupWork,
  cancelBackupWork,
  checkBackup,
  forgetChecked,
  startBackup,
  useBackup,
} from './backup-store.ts';
import { SettingRow } from './setting-row.tsx';
import styles from './settings.module.css';

export function Backup() {
  const { work, error, saved, checked } = useBackup();
  const waiting = useQuery(orpc.backups.waiting.queryOptions()).data ?? null;
  const cancel = useAttempt();
  const restoreRow = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (checked === null) return;
    // The control that opened the question is gone by the time it closes.
    return () =>
      void requestAnimationFrame(() => {
        const isFree = document.activeElement === document.body;
        if (isFree) restoreRow.current?.querySelector('button')?.focus();
      });
  }, [checked]);
  const shown = error?.error ?? cancel.error;
  return (
    <>
      <h3 className={styles.subheading}>Backup</h3>
      <p className={styles.intro}>
        One file with all runs, conversations, media and settings. Keys, secret headers and client
        certificates are never included.
      </p>
      <div className={styles.card}>
        <SettingRow
          label="Save a backup"
          help={
            <span role="status">
              {saved === null
                ? 'You can keep working while it’s saved.'
                : `Saved as ${saved.name} (${formatBytes(saved.sizeBytes)}).`}
            </span>
          }
        >
          {work?.kind === 'backup' ? (
            <Underway work={work} />
          ) : (
            <Button
              disabledReason={work === null ? null : 'A backup is being checked.'}
              onClick={() => void startBackup()}
            >
              Back up
            </Button>
          )}
        </SettingRow>
        <SettingRow
          label="Restore a backup"
          help={
            waiting === null
              ? 'Replaces everything here, after the file was checked and you confirmed.'
              : `Restart Gatehouse to restore the backup of ${formatDate(waiting.createdAt)}.`
          }
        >
          <div ref={restoreRow} className="fixed">
            {work?.kind === 'restore' ? (
              <Underway work={work} />
            ) : waiting === null ? (
              <FileButton
                busy={work !== null}
                inputLabel="Backup to restore"
                accept=".tar,application/x-tar"
                onFiles={([file]) => file !== undefined && void checkBackup(file)}
              >
                Choose file
              </FileButton>
            ) : (
              <Button
                busy={cancel.busy}
                onClick={() => void cancel.attempt(() => api.backups.discard())}
              >
                Cancel restore
              </Button>
            )}
          </div>
        </SettingRow>
      </div>
      {shown !== null && <ErrorAlert error={shown} />}
      {checked !== null && <RestoreQuestion key={checked.id} backup={checked} />}
    </>
  );
}

function Underway({ work }: { work: BackupWork }) {
  const { label, doneBytes, totalBytes } = work;
  return (
    <div className={styles.progress}>
      <span className="caption tabular">
        {label} {totalBytes > 0 && `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`}
      </span>
      <Progress className={styles.bar} label={label} value={doneBytes} max={totalBytes} />
      <Button autoFocus size="small" variant="quiet" onClick={cancelBackupWork}>
        Cancel
      </Button>
    </div>
  );
}

const kinds: { name: keyof DataContents; label: string }[] = [
  { name: 'runs', label: 'Runs' },
  { name: 'conversations', label: 'Conversations' },
  { name: 'mediaFiles', label: 'Media files' },
];

function RestoreQuestion({ backup }: { backup: CheckedBackup }) {
  const { busy, error, attempt } = useAttempt();
  const close = () => {
    forgetChecked();
    void api.backups.discard().catch(() => undefined);
  };
  const restore = async () => {
    if (await attempt(() => api.backups.restore({ id: backup.id }))) forgetChecked();
  };
  return (
    <ConfirmDialog
      open
      danger
      title="Replace all data with this backup?"
      confirmLabel="Replace data"
      busy={busy}
      onConfirm={() => void restore()}
      onClose={close}
    >
      <p>
        Made {formatDate(backup.createdAt)} by Gatehouse {backup.appVersion}.
      </p>
      <table className={styles.compared}>
        <thead>
          <tr>
            <td />
            <th scope="col">Now</th>
            <th scope="col">Backup</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td>{formatCount(backup.replaced[name])}</td>
              <td>{formatCount(backup.contents[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        When Gatehouse restarts, the backup replaces everything here, including settings and
        connections, and deletes the saved keys. Backups have no keys: enter them again.
      </p>
      {error !== null && <ErrorAlert compact error={error} />}
    </ConfirmDialog>
  );
}
