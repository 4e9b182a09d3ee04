/** Provides the page with information about this installation. */
import type { DiskUse, Notice, SystemInfo } from '../shared/contract/system.ts';
import { appError, UserFacingError } from '../shared/errors.ts';
import { sanitizeLink } from '../shared/outside-link.ts';
import { formatBackupTime } from './backup/restore-folders.ts';
import type { KeyVault } from './connections/key-vault.ts';
import { measureDiskUse } from './disk-use.ts';
import type { Storage } from './storage/database.ts';

export interface SystemOptions {
  host: SystemInfo['host'];
  version: string;
  home: string;
  vault: Pick<KeyVault, 'keeping'>;
  storage: Pick<Storage, 'notices' | 'db'>;
  openExternal: ((url: string) => Promise<void>) | null;
  onNotice: () => void;
  /** Returns when the backup to restore at the next start was made; null if there is none. */
  getWaitingRestore: () => { createdAt: number } | null;
}

/** Each slot shows one notice of the host. */
export type NoticeSlot = 'ended runs' | 'download' | 'link';

export interface System {
  info(): SystemInfo;
  /** Returns the size of each kind of data, in bytes. */
  diskUse(): Promise<DiskUse[]>;
  /** Replaces the notice in this slot, or removes it if null. */
  say(slot: NoticeSlot, notice: Notice | null): void;
  /** Throws a `UserFacingError` unless the URL is a web or mail address. */
  openExternal(url: string): Promise<void>;
}

export function createSystem(options: SystemOptions): System {
  const { host, version, home, vault, storage } = options;
  const said = new Map<NoticeSlot, Notice>();
  return {
    info(): SystemInfo {
      const { options: keyKeeping, keyringReason } = vault.keeping();
      return {
        host,
        version,
        platform: process.platform,
        dataFolder: home,
        keyKeeping,
        keyringReason,
        notices: [
          storage.notices,
          [...said.values()],
          listRestoreNotices(options.getWaitingRestore()),
        ].flat(),
      };
    },

    diskUse: () => measureDiskUse(storage.db, home),

    say(slot: NoticeSlot, notice: Notice | null): void {
      if (notice === null) said.delete(slot);
      else said.set(slot, notice);
      options.onNotice();
    },

    async openExternal(url: string): Promise<void> {
      if (sanitizeLink(url) === null) throw new UserFacingError(notALink);
      await options.openExternal?.(url);
    },
  };
}

function listRestoreNotices(restore: { createdAt: number } | null): Notice[] {
  if (restore === null) return [];
  return [
    {
      id: 'restore-waiting',
      level: 'warning',
      message: `Restart Gatehouse to restore the backup of ${formatBackupTime(restore.createdAt)}.`,
      nextStep: 'New work is lost then. You can cancel this in Settings → Data.',
    },
  ];
}

const notALink = appError(
  'invalid-request',
  'Only web and mail addresses can be opened.',
  'Copy the link and open it yourself if you trust it.',
);
