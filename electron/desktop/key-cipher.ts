/** Encrypts keys with the system keyring, using safeStorage's asynchronous API. */
import type { safeStorage } from 'electron';
import type { KeyCipher } from '../connections/key-vault.ts';

export type SafeStorage = Pick<typeof safeStorage, 'encryptStringAsync' | 'decryptStringAsync'>;

/**
 * Chromium's prefixes are `v10` for a built-in key, `v11` for the keyring and `v12` for the portal.
 */
const BUILT_IN_KEY = 'v10';

/** Call this after `ready`; the first call may prompt the user to unlock the keyring. */
export function createKeyCipher(storage: SafeStorage, platform: NodeJS.Platform): KeyCipher {
  return {
    async encrypt(text) {
      const bytes = await storage.encryptStringAsync(text);
      const tag = bytes.subarray(0, BUILT_IN_KEY.length).toString('latin1');
      return platform === 'linux' && tag === BUILT_IN_KEY ? noKeyring : bytes;
    },
    async decrypt(bytes) {
      const { result, shouldReEncrypt } = await storage.decryptStringAsync(Buffer.from(bytes));
      return { text: result, shouldEncryptAgain: shouldReEncrypt };
    },
  };
}

const noKeyring = {
  unprotected:
    'No keyring (GNOME Keyring or KWallet) is running, so stored keys wouldn’t be encrypted.',
};
