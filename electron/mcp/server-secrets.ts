/** Keeps the environment values, headers and tokens of MCP servers in the key vault. */
import { type KeyKeeping, type KeyProtection, keyKeepingSchema } from '../../shared/connection.ts';
import {
  getMcpId,
  noSecrets,
  readSecrets,
  writeSecrets,
} from '../connections/connection-secrets.ts';
import type { KeyVault } from '../connections/key-vault.ts';

/** A server's two vault entries: values the user entered, and tokens from signing in. */
type Entry = 'values' | 'sign-in';

export interface ServerSecrets {
  /** Throws a `UserFacingError` if the system keyring fails. */
  get(serverId: string, entry: Entry): Promise<ReadonlyMap<string, string>>;
  /** Replaces all values; the default storage is the entry's current one, or the best. */
  set(
    serverId: string,
    entry: Entry,
    values: ReadonlyMap<string, string>,
    keeping?: KeyKeeping,
  ): Promise<void>;
  /** Returns how the values are stored, or null if there are none. */
  protection(serverId: string, entry: Entry): KeyProtection | null;
  /** Deletes both entries; throws a `UserFacingError` if one can't be deleted. */
  forget(serverId: string): Promise<void>;
}

export function createServerSecrets(
  vault: Pick<KeyVault, 'get' | 'set' | 'remove' | 'describe' | 'keeping'>,
): ServerSecrets {
  return {
    async get(serverId: string, entry: Entry): Promise<ReadonlyMap<string, string>> {
      const text = await vault.get(getMcpId(serverId, entry));
      return readSecrets(text)?.values ?? new Map();
    },
    async set(
      serverId: string,
      entry: Entry,
      values: ReadonlyMap<string, string>,
      keeping?: KeyKeeping,
    ): Promise<void> {
      const id = getMcpId(serverId, entry);
      if (values.size === 0) return vault.remove(id);
      const [best = 'session'] = vault.keeping().options;
      const before = keyKeepingSchema.safeParse(vault.describe(id)?.protection).data;
      await vault.set(id, writeSecrets({ ...noSecrets, values }), keeping ?? before ?? best);
    },
    protection: (serverId: string, entry: Entry): KeyProtection | null =>
      vault.describe(getMcpId(serverId, entry))?.protection ?? null,
    async forget(serverId: string): Promise<void> {
      await vault.remove(getMcpId(serverId, 'values'));
      await vault.remove(getMcpId(serverId, 'sign-in'));
    },
  };
}
