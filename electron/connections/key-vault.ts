/** Stores keys in memory, in a file with mode 0600, or encrypted with the system keyring. */
import type { KeyKeeping, KeyProtection } from '../../shared/connection.ts';
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { Timer } from '../base/timer.ts';
import { quarantineFile } from '../storage/quarantine-file.ts';
import { toStorageError } from '../storage/storage-error.ts';
import { isSecretsId, redactEntry } from './connection-secrets.ts';
import {
  getKeyFilePath,
  type KeyFileContent,
  readKeyFile,
  type StoredKey,
  writeKeyFile,
} from './key-file.ts';
import { createKeyring, type KeyCipher, type KeyringWork, keyringTimeoutError } from './keyring.ts';

export type { KeyCipher } from './keyring.ts';

export interface KeyVaultOptions {
  home: string;
  cipher: KeyCipher | null;
  timer?: Timer;
  now?: () => number;
  warn?: (notice: Notice) => void;
  onKeyringChange?: () => void;
  /** Called if the keyring responds only after `set` has returned. */
  onKeptLate?: (id: string) => void;
}

/** Implementations must never log a key or include one in an error. */
export interface KeyVault {
  /**
   * Returns the storage options, best first, and why the keyring is unavailable, or null; never
   * prompts.
   */
  keeping(): { options: KeyKeeping[]; keyringReason: string | null };
  /**
   * Returns the storage actually used, which is `session` if the chosen one fails or doesn't
   * respond.
   */
  set(id: string, key: string, keeping: KeyKeeping): Promise<KeyProtection>;
  /** Returns null if there is no key; throws a `UserFacingError` if the keyring fails. */
  get(id: string): Promise<string | null>;
  /**
   * Returns null if there is no key; never prompts. `lastFour` is empty for keys that are too short
   * to show their end.
   */
  describe(id: string): { lastFour: string; protection: KeyProtection } | null;
  /** Throws a `UserFacingError` if the stored key can't be deleted. */
  remove(id: string): Promise<void>;
  /** Masks every key that is in memory. */
  redact(text: string): string;
}

export async function createKeyVault(options: KeyVaultOptions): Promise<KeyVault> {
  const { home, warn = () => undefined, onKeptLate = () => undefined } = options;
  const keyring = createKeyring({
    cipher: options.cipher,
    ...(options.timer && { timer: options.timer }),
    onChange: options.onKeyringChange ?? (() => undefined),
  });
  /** Pending keyring reads by connection, shared so that the user isn't prompted twice. */
  const readings = new Map<string, KeyringWork<void>>();
  const { keys: stored, others } = await load(options, warn);
  const inMemory = new Map<string, string>();
  for (const [id, entry] of stored) if (entry.protection === 'file') inMemory.set(id, entry.key);
  /** Change counts, which keep a delayed keyring response from overwriting a newer key. */
  const turns = new Map<string, number>();
  let lastWrite: Promise<void> = Promise.resolve();
  let behind = false;

  function nextTurn(id: string): () => boolean {
    const turn = (turns.get(id) ?? 0) + 1;
    turns.set(id, turn);
    return () => turns.get(id) === turn;
  }

  function save(): Promise<void> {
    behind = true;
    lastWrite = lastWrite
      .catch(() => undefined)
      .then(() => writeKeyFile(home, { keys: stored, others }))
      .then(() => {
        behind = false;
      });
    return lastWrite;
  }

  async function forgetStored(id: string): Promise<void> {
    if (stored.delete(id) || behind) await save();
  }

  function protection(id: string): KeyProtection {
    return stored.get(id)?.protection ?? 'session';
  }

  /** Never rejects; if the key can't be stored, warns and keeps it for the session. */
  async function keep(id: string, current: () => boolean, store: () => Promise<void>) {
    try {
      await store();
    } catch (cause) {
      if (current()) stored.delete(id);
      warn(createUnsavedNotice(cause));
    }
  }

  async function keepInKeyring(id: string, key: string, current: () => boolean): Promise<void> {
    const { result, inTime } = keyring.encrypt(key);
    const kept = result.then((outcome) =>
      keep(id, current, async () => {
        if (!current()) return;
        if ('reason' in outcome) {
          warn(createKeyringNotice(outcome.reason));
          return forgetStored(id);
        }
        const { encrypted } = outcome;
        stored.set(id, { protection: 'keyring', lastFour: getShownEnd(id, key), encrypted });
        await save();
      }),
    );
    if (await inTime()) return kept;
    void kept.then(() => {
      if (current()) onKeptLate(id);
    });
    // If the user ignores the prompt, an older key must not return after a restart.
    if (current()) await keep(id, current, () => forgetStored(id));
  }

  /** The read continues after a timeout, because the user may still respond to the prompt. */
  function read(id: string, entry: StoredKey & { protection: 'keyring' }): KeyringWork<void> {
    const { result, inTime } = keyring.decrypt(entry.encrypted);
    const taken = result.then(({ key, shouldEncryptAgain }) => {
      if (stored.get(id) !== entry) return;
      inMemory.set(id, key);
      // The keyring may hang, so don't make the caller wait for encryption.
      if (shouldEncryptAgain) void reencrypt(id, key);
    });
    const reading = { result: taken, inTime };
    const forget = () => {
      if (readings.get(id) === reading) readings.delete(id);
    };
    taken.then(forget, forget);
    return reading;
  }

  return {
    keeping(): { options: KeyKeeping[]; keyringReason: string | null } {
      const { isOffered, reason } = keyring.state();
      const always: KeyKeeping[] = ['session', 'file'];
      return { options: isOffered ? ['keyring', ...always] : always, keyringReason: reason };
    },

    async set(id: string, key: string, keeping: KeyKeeping): Promise<KeyProtection> {
      const current = nextTurn(id);
      inMemory.set(id, key);
      if (keeping === 'keyring') await keepInKeyring(id, key, current);
      else {
        await keep(id, current, async () => {
          if (keeping === 'session') return forgetStored(id);
          stored.set(id, { protection: 'file', key });
          await save();
        });
      }
      return protection(id);
    },

    async get(id: string): Promise<string | null> {
      const known = inMemory.get(id);
      if (known !== undefined) return known;
      const entry = stored.get(id);
      if (entry?.protection !== 'keyring') return null;
      const reading = readings.get(id) ?? read(id, entry);
      readings.set(id, reading);
      if (!(await reading.inTime())) throw new UserFacingError(keyringTimeoutError);
      await reading.result;
      return inMemory.get(id) ?? null;
    },

    describe(id: string): { lastFour: string; protection: KeyProtection } | null {
      const entry = stored.get(id);
      const key = inMemory.get(id);
      if (key !== undefined) return { lastFour: getShownEnd(id, key), protection: protection(id) };
      return entry?.protection === 'keyring'
        ? { lastFour: entry.lastFour, protection: 'keyring' }
        : null;
    },

    async remove(id: string): Promise<void> {
      nextTurn(id);
      inMemory.delete(id);
      try {
        await forgetStored(id);
      } catch (cause) {
        throw new UserFacingError(toStorageError(cause, 'The stored key couldn’t be deleted'));
      }
    },

    redact: (text: string): string =>
      [...inMemory].reduce((left, [id, entry]) => redactEntry(id, entry, left), text),
  };

  /** Never rejects; keeps the old bytes until the new ones are on disk. */
  async function reencrypt(id: string, key: string): Promise<void> {
    const before = stored.get(id);
    const outcome = await keyring.encrypt(key).result;
    if ('reason' in outcome || !before || stored.get(id) !== before) return;
    const { encrypted } = outcome;
    stored.set(id, { protection: 'keyring', lastFour: getShownEnd(id, key), encrypted });
    await save().catch((cause: unknown) => {
      stored.set(id, before);
      warn(createUnsavedNotice(cause));
    });
  }
}

async function load(
  { home, now = Date.now }: KeyVaultOptions,
  warn: (notice: Notice) => void,
): Promise<KeyFileContent> {
  try {
    return await readKeyFile(home);
  } catch (cause) {
    warn(unreadableFile(quarantineIfDamaged(cause, home, now())));
    return { keys: new Map(), others: {} };
  }
}

function quarantineIfDamaged(cause: unknown, home: string, nowMs: number): string | null {
  if (cause instanceof Error && 'code' in cause) return null;
  try {
    return quarantineFile(getKeyFilePath(home), 'damaged', nowMs, []);
  } catch {
    return null;
  }
}

function unreadableFile(asideAs: string | null): Notice {
  return {
    id: 'keys-unreadable',
    level: 'warning',
    message:
      asideAs === null
        ? 'The stored keys couldn’t be read.'
        : `The key file was damaged. It was renamed to ${asideAs}.`,
    nextStep: 'Enter each connection’s key again in Settings.',
  };
}

function createUnsavedNotice(cause: unknown): Notice {
  const { message, nextStep } = toStorageError(
    cause,
    'Couldn’t save the key; it’s kept for this session only',
  );
  return { id: 'keys-not-saved', level: 'warning', message, nextStep };
}

function createKeyringNotice(reason: string): Notice {
  return {
    id: 'key-not-in-keyring',
    level: 'warning',
    message: `The key couldn’t be stored in the system keyring and is kept for this session only. ${reason}`,
    nextStep: 'To keep it longer, replace the key in Settings and choose another storage option.',
  };
}

/** Returns an empty string for other entries, whose end could be the end of a password. */
function getShownEnd(id: string, entry: string): string {
  return isSecretsId(id) ? '' : getLastFour(entry);
}

/** Showing four characters of a shorter key would reveal too much. */
const MIN_SHOWN = 12;

/** Returns an empty string for `user:password`, because passwords are short. */
export function getLastFour(key: string): string {
  return key.length < MIN_SHOWN || key.includes(':') ? '' : key.slice(-4);
}
