/** What the page can query about this installation as a whole. */
import type { SystemInfo } from '../shared/contract/system.ts';
import { AppFailure, appError } from '../shared/errors.ts';
import type { KeyVault } from './connections/key-vault.ts';
import type { Storage } from './storage/database.ts';

export interface SystemOptions {
  host: SystemInfo['host'];
  version: string;
  /** The data folder. */
  home: string;
  vault: Pick<KeyVault, 'keeping'>;
  storage: Pick<Storage, 'notices'>;
  /** Opens a link in the system's browser; null where the page does so itself. */
  openExternal: ((url: string) => Promise<void>) | null;
}

export interface System {
  info(): SystemInfo;
  /** Throws an `AppFailure` for anything but http(s). */
  openExternal(url: string): Promise<void>;
}

export function createSystem(options: SystemOptions): System {
  const { host, version, home, vault, storage } = options;
  return {
    info() {
      const { options: keyKeeping, keyringReason } = vault.keeping();
      return {
        host,
        version,
        platform: process.platform,
        dataFolder: home,
        keyKeeping,
        keyringReason,
        notices: [...storage.notices],
      };
    },

    async openExternal(url) {
      if (!/^https?:\/\//i.test(url)) throw new AppFailure(notALink);
      await options.openExternal?.(url);
    },
  };
}

const notALink = appError(
  'invalid-request',
  'Only links that start with http:// or https:// can be opened.',
  'Copy the link and open it yourself if you trust it.',
  { fields: [] },
);
