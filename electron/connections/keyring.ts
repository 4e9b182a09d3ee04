/** The operating system's keyring, which may refuse, fail, or wait forever on a prompt. */
import { AppFailure, appError } from '../../shared/errors.ts';
import { systemTimer, type Timer } from '../storage/timer.ts';

/** What a host offers: `safeStorage` on the desktop. */
export interface KeyCipher {
  available(): Promise<{ ok: true } | { ok: false; reason: string }>;
  encrypt(text: string): Promise<Uint8Array>;
  decrypt(bytes: Uint8Array): Promise<{ text: string; shouldEncryptAgain: boolean }>;
}

export const KEYRING_LIMIT_MS = 10_000;

export interface Keyring {
  /** Why a key cannot be kept there; null where it can. */
  problem(): Promise<string | null>;
  /** Base64; null where the keyring does not do it in time. */
  encrypt(key: string): Promise<string | null>;
  /** Throws an `AppFailure` where the keyring does not give the key back. */
  decrypt(encrypted: string): Promise<{ key: string; shouldEncryptAgain: boolean }>;
}

export function createKeyring(cipher: KeyCipher | null, timer: Timer = systemTimer): Keyring {
  /** Once it has hung it is not offered again before a restart: each try would take ten seconds. */
  let hung = false;

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await withinTime(work(), KEYRING_LIMIT_MS, timer);
    } catch (cause) {
      if (cause instanceof TimedOut) hung = true;
      throw cause;
    }
  }

  async function problem(): Promise<string | null> {
    if (!cipher) return 'The system keyring is not available here.';
    if (hung) return 'The system keyring did not respond within 10 seconds.';
    try {
      const found = await attempt(() => cipher.available());
      return found.ok ? null : found.reason;
    } catch {
      return hung
        ? 'The system keyring did not respond within 10 seconds.'
        : 'The system keyring failed.';
    }
  }

  return {
    problem,
    async encrypt(key) {
      if (!cipher || (await problem()) !== null) return null;
      try {
        return Buffer.from(await attempt(() => cipher.encrypt(key))).toString('base64');
      } catch {
        // The reason could repeat the key; that it was kept for the session only is answered.
        return null;
      }
    },
    async decrypt(encrypted) {
      if (!cipher) throw new AppFailure(noKeyring);
      try {
        const { text, shouldEncryptAgain } = await attempt(() =>
          cipher.decrypt(Buffer.from(encrypted, 'base64')),
        );
        return { key: text, shouldEncryptAgain };
      } catch (cause) {
        throw new AppFailure(cause instanceof TimedOut ? keyringSilent : keyringRefused);
      }
    },
  };
}

const noKeyring = appError(
  'file',
  'This connection’s key is protected by the system keyring, which only the desktop window can open.',
  'Enter the key again for this session, or use the desktop window.',
  {},
);
const keyringSilent = appError(
  'file',
  'The system keyring did not respond within 10 seconds, so this connection’s key is unavailable.',
  'Unlock the keyring and run again, or enter the key again.',
  {},
);
const keyringRefused = appError(
  'file',
  'The system keyring did not return this connection’s key. The stored key was not changed.',
  'Unlock the keyring and run again, or enter the key again.',
  {},
);

class TimedOut extends Error {}

/** Rejects with `TimedOut` after `limitMs`; what the work does later is ignored. */
function withinTime<Result>(work: Promise<Result>, limitMs: number, timer: Timer): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = timer.after(limitMs, () => reject(new TimedOut()));
    work.then(resolve, reject).finally(cancel);
  });
}
