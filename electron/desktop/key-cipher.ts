/** Encrypts keys with the operating system's keyring, by safeStorage's asynchronous API only. */
import type { safeStorage } from 'electron';
import type { KeyCipher } from '../connections/key-vault.ts';

export type SafeStorage = Pick<
  typeof safeStorage,
  | 'encryptStringAsync'
  | 'decryptStringAsync'
  | 'isAsyncEncryptionAvailable'
  | 'getSelectedStorageBackend'
>;

/**
 * What Chromium writes in front of a text it encrypted with a key that is built into the program:
 * obfuscated, not protected. `v11` is the keyring, `v12` the portal.
 */
const BUILT_IN_KEY = 'v10';

type Availability = Awaited<ReturnType<KeyCipher['available']>>;

/** Call after `ready`. A keyring prompt may never answer: the vault bounds the time. */
export function createKeyCipher(storage: SafeStorage, platform: NodeJS.Platform): KeyCipher {
  async function availability(): Promise<Availability> {
    if (!(await storage.isAsyncEncryptionAvailable())) return unavailable;
    if (platform !== 'linux') return { ok: true };
    // On Linux it always claims to be available: only what it writes shows whether it is.
    if (storage.getSelectedStorageBackend() === 'basic_text') return noKeyring;
    const probe = await storage.encryptStringAsync('probe');
    return probe.subarray(0, BUILT_IN_KEY.length).toString('latin1') === BUILT_IN_KEY
      ? noKeyring
      : { ok: true };
  }

  return {
    available: availability,
    async encrypt(text) {
      return await storage.encryptStringAsync(text);
    },
    async decrypt(bytes) {
      const { result, shouldReEncrypt } = await storage.decryptStringAsync(Buffer.from(bytes));
      return { text: result, shouldEncryptAgain: shouldReEncrypt };
    },
  };
}

const unavailable: Availability = {
  ok: false,
  reason: 'The operating system’s key storage is not available.',
};
const noKeyring: Availability = {
  ok: false,
  reason:
    'No keyring is running (GNOME Keyring or KWallet), so a stored key would not be protected.',
};
