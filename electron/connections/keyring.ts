/** The operating system's keyring. It may ask its user first: now, in a minute, or for ever. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import { systemTimer, type Timer } from '../storage/timer.ts';

/** What a host offers: `safeStorage` on the desktop. Each call may open the keyring, and take as long as its prompt. */
export interface KeyCipher {
  /** A reason where what it writes would not be protected; it holds until the process ends. */
  encrypt(text: string): Promise<Uint8Array | { unprotected: string }>;
  decrypt(bytes: Uint8Array): Promise<{ text: string; shouldEncryptAgain: boolean }>;
}

/** So long the user waits for it; it may take longer. */
export const KEYRING_LIMIT_MS = 10_000;
/** The same beside a prompt that has been open for longer: what is asked then waits for its answer too. */
export const KEYRING_OVERDUE_LIMIT_MS = 1_000;

/** Work that continues for as long as a prompt is open. */
export interface KeyringWork<Result> {
  result: Promise<Result>;
  /** Whether there is a result, or an error, before whoever calls has waited long enough. */
  inTime(): Promise<boolean>;
}

export interface KeyringState {
  /** Whether a key can be kept there, as far as is known. */
  isOffered: boolean;
  /** What is known against it. */
  reason: string | null;
}

export interface Keyring {
  /** Asks nothing of the keyring, which might ask its user. */
  state(): KeyringState;
  /** Base64, or the reason where it cannot be kept there. Never rejects. */
  encrypt(key: string): KeyringWork<{ encrypted: string } | { reason: string }>;
  /** Rejects with a `UserFacingError` where the keyring does not give the key back. */
  decrypt(encrypted: string): KeyringWork<{ key: string; shouldEncryptAgain: boolean }>;
}

export interface KeyringOptions {
  cipher: KeyCipher | null;
  timer?: Timer;
  onChange: () => void;
}

export function createKeyring(options: KeyringOptions): Keyring {
  const { cipher, timer = systemTimer, onChange } = options;
  /** Why it cannot be used at all; null if it can, as far as is known. */
  let unusable: string | null = cipher === null ? NOT_HERE : null;
  /** What the user has waited for long enough. */
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
        settlesWithin(result, overdue > 0 ? KEYRING_OVERDUE_LIMIT_MS : KEYRING_LIMIT_MS),
    };
  }

  function settlesWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
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
      // The error could repeat the key.
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
    encrypt: (key) => follow(encrypt(key)),
    decrypt: (encrypted) => follow(decrypt(encrypted)),
  };
}

const NOT_HERE = 'The system keyring is not available here.';
const WAITING =
  'The system keyring has not responded yet. Until it does, keys are kept for this session only.';

const noKeyring = appError(
  'file',
  'This connection’s key is protected by the system keyring, which only the desktop window can open.',
  'Enter the key again for this session, or use the desktop window.',
  {},
);
export const keyringTimeoutError = appError(
  'file',
  'The system keyring did not respond, so this connection’s key is unavailable.',
  'Unlock the keyring and run again, or enter the key again.',
  {},
);
const keyringRefused = appError(
  'file',
  'The system keyring did not return this connection’s key. The stored key was not changed.',
  'Unlock the keyring and run again, or enter the key again.',
  {},
);
