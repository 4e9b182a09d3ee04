/** Follows the files that the page saves until they are complete, canceled or lost. */
import type { DownloadItem, Event, Session } from 'electron';
import type { Notice } from '../../shared/contract/system.ts';
import type { Backups, DownloadOutcome } from '../backup/backups.ts';
import { PAGE_ORIGIN } from './page-protocol.ts';

export interface DownloadsOptions {
  session: Pick<Session, 'on'>;
  backups: Pick<Backups, 'settleDownload'>;
  say: (notice: Notice) => void;
  onSaved: (name: string) => void;
  onChange: () => void;
  log: (line: string) => void;
}

export interface Downloads {
  /**
   * Counts the files that quitting would delete, because Electron discards unfinished downloads.
   */
  count(): number;
  /**
   * Returns what part of all files has arrived, from 0 to 1; more than 1 if their size isn't known,
   * and null if there are none.
   */
  getProgress(): number | null;
}

const UNKNOWN_PROGRESS = 2;

/** Electron shows the Save dialog while the file is already arriving in a temporary file. */
export function followDownloads(options: DownloadsOptions): Downloads {
  const active = new Set<DownloadItem>();
  let failures = 0;

  function settle(item: DownloadItem, outcome: DownloadOutcome): void {
    active.delete(item);
    const backupId = getBackupId(item.getURL());
    const isBackup = backupId !== null && options.backups.settleDownload(backupId, outcome);
    if (outcome === 'failed') {
      options.log(`a download ended early: ${item.getReceivedBytes()} of ${item.getTotalBytes()}`);
      // Settings shows the failure of a backup.
      if (!isBackup) options.say(createFailure(item.getFilename(), ++failures));
    }
    if (outcome === 'saved') options.onSaved(item.getFilename());
    options.onChange();
  }

  options.session.on('will-download', (_event: Event, item: DownloadItem) => {
    active.add(item);
    // Without a title, the dialog shows the internal URL. Electron itself remembers the folder.
    item.setSaveDialogOptions({ title: 'Save File' });
    let isLost = false;
    item.on('updated', (_event, state) => {
      // A full disk could be resumed, but the page's streams can't start again.
      if (state === 'interrupted' && !isLost) {
        isLost = true;
        item.cancel();
      }
      options.onChange();
    });
    item.once('done', (_event, state) => settle(item, isLost ? 'failed' : OUTCOMES[state]));
    options.onChange();
  });

  return {
    count: () => active.size,
    getProgress(): number | null {
      const items = [...active].filter((item) => item.getSavePath() !== '');
      if (items.length === 0) return null;
      if (items.some((item) => item.getTotalBytes() === 0)) return UNKNOWN_PROGRESS;
      return (
        sum(items, (item) => item.getReceivedBytes()) / sum(items, (item) => item.getTotalBytes())
      );
    },
  };
}

const OUTCOMES: Record<ReturnType<DownloadItem['getState']>, DownloadOutcome> = {
  completed: 'saved',
  cancelled: 'canceled',
  interrupted: 'failed',
  progressing: 'failed',
};

function getBackupId(url: string): string | null {
  if (!url.startsWith(`${PAGE_ORIGIN}/media/`)) return null;
  return /^[^/]+\/\/[^/]+\/media\/([\w-]+)\/backup$/.exec(url)?.[1] ?? null;
}

/** Use a new ID, so that the notice is shown again even if the last one was dismissed. */
function createFailure(name: string, number: number): Notice {
  return {
    id: `download-failed-${number}`,
    level: 'danger',
    message: `“${name}” wasn’t saved completely.`,
    nextStep: 'Check that the disk you save to has enough space, then download it again.',
  };
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
