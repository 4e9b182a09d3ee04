/** Encrypts keys with the operating system's keyring, by safeStorage's asynchronous API only. */
import type { safeStorage } from 'electron';
import type { KeyCipher } from '../connections/key-vault.ts';

export type SafeStorage = Pick<typeof safeStorage, 'encryptStringAsync' | 'decryptStringAsync'>;

/**
 * What Chromium writes in front of a text it encrypted with a key that is built into the program:
 * obfuscated, not protected. `v11` is the keyring, `v12` the portal.
 */
const BUILT_IN_KEY = 'v10';

/**
 * Call after `ready`. The keyring is opened by the first call of either, which may ask the user. On Linux
 * encryption always works: only what it writes shows with which key, and so what the asynchronous API uses.
 */
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
    'No keyring is running (GNOME Keyring or KWallet), so a stored key would not be protected.',
};
