/** Accesses the operating system's keyring, which may prompt the user for a long time. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import { systemTimer, type Timer } from '../base/timer.ts';

/** Each `safeStorage` call may prompt the user and wait. */
export interface KeyCipher {
  /**
   * Returns the encrypted bytes, or why this system can't protect them. The reason is fixed for the
   * session.
   */
  encrypt(text: string): Promise<Uint8Array | { unprotected: string }>;
  decrypt(bytes: Uint8Array): Promise<{ text: string; shouldEncryptAgain: boolean }>;
}

/** Maximum time that callers wait, although the keyring may take longer. */
export const KEYRING_LIMIT_MS = 10_000;
/** Maximum time that callers wait while an earlier prompt is overdue. */
export const KEYRING_OVERDUE_LIMIT_MS = 1_000;

export interface KeyringWork<Result> {
  result: Promise<Result>;
  inTime(): Promise<boolean>;
}

export interface KeyringOptions {
  cipher: KeyCipher | null;
  timer?: Timer;
  onChange: () => void;
}

/** Calls may wait for the user. `inTime` resolves to false if the result takes too long. */
export interface Keyring {
  /**
   * Returns why the keyring is unavailable, or null. Doesn't call the keyring, because that might
   * prompt the user.
   */
  state(): { isOffered: boolean; reason: string | null };
  /** Resolves to the encrypted key in Base64, or to the reason that encryption failed. */
  encrypt(key: string): KeyringWork<{ encrypted: string } | { reason: string }>;
  /** Rejects with a `UserFacingError` that doesn't contain the key. */
  decrypt(encrypted: string): KeyringWork<{ key: string; shouldEncryptAgain: boolean }>;
}

export function createKeyring(options: KeyringOptions): Keyring {
  const { cipher, timer = systemTimer, onChange } = options;
  let unusable: string | null = cipher === null ? NOT_HERE : null;
  let overdue = 0;

  function change(by: () => void): void {
    by();
    onChange();
  }

  function follow<Result>(result: Promise<Result>): KeyringWork<Result> {
    let isOverdue = false;
    const cancel = timer.after(KEYRING_LIMIT_MS, () => {
      isOverdue = true;
      change(() => (overdue += 1));
    });
    const settle = () => {
      cancel();
      if (isOverdue) change(() => (overdue -= 1));
    };
    result.then(settle, settle);
    return {
      result,
      inTime: () =>
        waitUntilSettled(result, overdue > 0 ? KEYRING_OVERDUE_LIMIT_MS : KEYRING_LIMIT_MS),
    };
  }

  function waitUntilSettled(work: Promise<unknown>, limitMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = timer.after(limitMs, () => resolve(false));
    const settle = () => {
      cancel();
      resolve(true);
    };
    work.then(settle, settle);
    return promise;
  }

  async function encrypt(key: string): Promise<{ encrypted: string } | { reason: string }> {
    if (cipher === null) return { reason: NOT_HERE };
    if (unusable !== null) return { reason: unusable };
    try {
      const made = await cipher.encrypt(key);
      if (made instanceof Uint8Array) return { encrypted: Buffer.from(made).toString('base64') };
      change(() => {
        unusable = made.unprotected;
      });
      return { reason: made.unprotected };
    } catch {
      // Don't rethrow the original error, which might contain the key.
      return { reason: 'The system keyring failed.' };
    }
  }

  async function decrypt(encrypted: string): Promise<{ key: string; shouldEncryptAgain: boolean }> {
    if (cipher === null) throw new UserFacingError(noKeyring);
    try {
      const { text, shouldEncryptAgain } = await cipher.decrypt(Buffer.from(encrypted, 'base64'));
      return { key: text, shouldEncryptAgain };
    } catch {
      throw new UserFacingError(keyringRefused);
    }
  }

  return {
    state: () => ({
      isOffered: unusable === null,
      reason: unusable ?? (overdue > 0 ? WAITING : null),
    }),
    encrypt: (key: string) => follow(encrypt(key)),
    decrypt: (encrypted: string) => follow(decrypt(encrypted)),
  };
}

const NOT_HERE = 'No system keyring is available.';
const WAITING =
  'The system keyring hasn’t responded yet. Until it does, keys are kept for this session only.';

const noKeyring = appError(
  'file',
  'This key is in the system keyring, which only the desktop app can open.',
  'Enter the key again for this session, or use the desktop app.',
);
export const keyringTimeoutError = appError(
  'file',
  'The system keyring didn’t respond, so this connection’s key is unavailable.',
  'Unlock the keyring and retry, or enter the key again.',
);
const keyringRefused = appError(
  'file',
  'The system keyring didn’t return this connection’s key. The stored key is unchanged.',
  'Unlock the keyring and retry, or enter the key again.',
);
