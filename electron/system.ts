/** Provides the page with information about this installation. */
import type { DiskUse, Notice, SystemInfo } from '../shared/contract/system.ts';
import { appError, UserFacingError } from '../shared/errors.ts';
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
  /** Returns when the backup that the next start restores was made; null if there is none. */
  getWaitingRestore: () => { createdAt: number } | null;
}

export interface System {
  info(): SystemInfo;
  /** Returns the size of each kind of data, in bytes. */
  diskUse(): Promise<DiskUse[]>;
  /** Replaces the previous notice from this method, or removes it if null. */
  say(notice: Notice | null): void;
  /** Throws a `UserFacingError` unless the URL has the scheme `http` or `https`. */
  openExternal(url: string): Promise<void>;
}

export function createSystem(options: SystemOptions): System {
  const { host, version, home, vault, storage } = options;
  let said: Notice | null = null;
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
          said ?? [],
          listRestoreNotices(options.getWaitingRestore()),
        ].flat(),
      };
    },

    diskUse: () => measureDiskUse(storage.db, home),

    say(notice: Notice | null): void {
      said = notice;
      options.onNotice();
    },

    async openExternal(url: string): Promise<void> {
      if (!/^https?:\/\//i.test(url)) throw new UserFacingError(notALink);
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
  'Only links that start with http:// or https:// can be opened.',
  'Copy the link and open it yourself if you trust it.',
);
