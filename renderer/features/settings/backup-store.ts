import { create } from 'zustand';
import type { BackupStep, CheckedBackup } from '../../../shared/contract/backups.ts';
import type { AppError } from '../../../shared/errors.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { saveUrl } from '../../media/players/download-button.tsx';
import { uploadUnfinished } from '../../media/uploads/upload-media.ts';

export interface BackupWork {
  kind: 'backup' | 'restore';
  /** Starts a sentence such as “Copying… 2 MB of 5 MB”. */
  label: string;
  doneBytes: number;
  totalBytes: number;
}

interface BackupState {
  /** The work continues if the user opens another panel. */
  work: BackupWork | null;
  error: { kind: BackupWork['kind']; error: AppError } | null;
  /** The last saved file; null if none has been saved. */
  saved: { name: string; sizeBytes: number } | null;
  /** Asks whether to replace the data with this backup. */
  checked: CheckedBackup | null;
}

const idle: BackupState = { work: null, error: null, saved: null, checked: null };

export const useBackup = create<BackupState>(() => idle);

let current = new AbortController();

export const cancelBackupWork = () => current.abort();

export function forgetChecked(): void {
  useBackup.setState({ checked: null });
}

async function attempt(
  kind: BackupWork['kind'],
  label: string,
  work: (signal: AbortSignal) => Promise<Partial<BackupState>>,
): Promise<void> {
  if (useBackup.getState().work !== null) return;
  current = new AbortController();
  const { signal } = current;
  useBackup.setState({ ...idle, work: { kind, label, doneBytes: 0, totalBytes: 0 } });
  try {
    useBackup.setState({ ...idle, ...(await work(signal)) });
  } catch (cause) {
    const error = signal.aborted ? null : { kind, error: toAppError(cause) };
    useBackup.setState({ ...idle, error });
  }
}

function show(kind: BackupWork['kind'], label: string, doneBytes: number, totalBytes: number) {
  useBackup.setState({ work: { kind, label, doneBytes, totalBytes } });
}

const labels: Record<Exclude<BackupStep['stage'], 'ready' | 'saved'>, string> = {
  copying: 'Copying…',
  saving: 'Saving…',
};

export function startBackup(): Promise<void> {
  return attempt('backup', labels.copying, async (signal) => {
    let file: BackupState['saved'] = null;
    let isSaved = false;
    for await (const step of await api.backups.create(undefined, { signal })) {
      if (step.stage === 'ready') {
        file = { name: step.name, sizeBytes: step.totalBytes };
        saveUrl(`/media/${step.id}/backup`, step.name);
        show('backup', labels.saving, 0, step.totalBytes);
      } else if (step.stage === 'saved') isSaved = true;
      else show('backup', labels[step.stage], step.doneBytes, step.totalBytes);
    }
    return { saved: isSaved ? file : null };
  });
}

export function checkBackup(file: File): Promise<void> {
  return attempt('restore', 'Reading…', async (signal) => {
    const uploadId = await uploadUnfinished(file, {
      signal,
      onProgress: ({ doneBytes, totalBytes }) => show('restore', 'Reading…', doneBytes, totalBytes),
    });
    let checked: CheckedBackup | null = null;
    for await (const step of await api.backups.check({ uploadId }, { signal })) {
      if (step.stage === 'checked') checked = step.backup;
      else show('restore', 'Checking…', step.doneBytes, step.totalBytes);
    }
    return { checked };
  });
}
