/** Opens the files in the data folder and recovers from damaged ones. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { createDatabase, createWriteTurn, type Database } from './database-access.ts';
import { LEDGER_COMPANIONS, LEDGER_NAME } from './file-names.ts';
import { type FolderHolder, type FolderLock, lockFolder } from './folder-lock.ts';
import { createJournals, type Journals } from './journals.ts';
import { CorruptLedgerError, closeLedgerFile, openLedgerFile } from './ledger-file.ts';
import { quarantineFile } from './quarantine-file.ts';
import { type Searcher, searchInline, searchOnThread } from './search/searcher.ts';
import { UnknownVersionError } from './sqlite-file.ts';
import { toStorageError } from './storage-error.ts';

export interface Storage {
  readonly db: Database;
  /** Null if journals can't be kept. */
  readonly journals: Journals | null;
  /** The ledger's file. */
  readonly path: string;
  readonly search: Searcher;
  readonly notices: readonly Notice[];
  warn(notice: Notice): void;
  onNotice(listener: (notice: Notice) => void): void;
  /** True if the folder can't be written, in which case all data is kept in memory. */
  readonly inMemory: boolean;
  close(): Promise<void>;
}

export interface StorageOptions {
  home: string;
  now: () => number;
  /** Identifies this host in the error shown by another Gatehouse that tries to use the folder. */
  host?: FolderHolder['host'];
  inline?: boolean;
  /** Called with the folder locked and nothing open. */
  prepare?: (home: string, warn: Storage['warn']) => void;
}

/**
 * Creates and locks the folder; throws a `UserFacingError` if it is in use or from a newer version.
 */
export function openStorage({
  home,
  now,
  host = 'browser',
  inline = false,
  prepare = () => undefined,
}: StorageOptions): Storage {
  const notices: Notice[] = [];
  const listeners = new Set<(notice: Notice) => void>();
  const warn = (notice: Notice) => {
    if (notices.some(({ id }) => id === notice.id)) return;
    notices.push(notice);
    for (const listener of listeners) listener(notice);
  };

  let lock: FolderLock | null = null;
  let file: DatabaseSync;
  let inMemory = false;
  const path = join(home, LEDGER_NAME);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    lock = lockFolder(home, { host, pid: process.pid });
    prepare(home, warn);
    file = openOrReplace(path, now(), warn);
  } catch (cause) {
    if (cause instanceof UserFacingError) {
      lock?.release();
      throw cause;
    }
    warn(createMemoryNotice(cause));
    file = openLedgerFile(':memory:');
    inMemory = true;
  }
  let journals: Journals | null = null;
  try {
    if (!inMemory) journals = createJournals({ home, now });
  } catch (cause) {
    warn(createNoJournalNotice(cause));
  }

  const isInline = inMemory || inline;
  const turn = createWriteTurn();
  const db = createDatabase(file, { warn, turn });
  const search = isInline ? searchInline(db) : searchOnThread(path, turn);
  return {
    db,
    search,
    journals,
    path,
    notices,
    warn,
    onNotice: (listener) => listeners.add(listener),
    inMemory,
    async close() {
      const closed = search.close();
      // The thread must close its connection before another process can use the folder.
      if (!isInline) await closed;
      closeLedgerFile(file);
      await journals?.close();
      lock?.release();
    },
  };
}

function openOrReplace(path: string, nowMs: number, warn: (notice: Notice) => void): DatabaseSync {
  try {
    return openLedgerFile(path);
  } catch (cause) {
    const isUnknown = cause instanceof UnknownVersionError;
    if (!isUnknown && !(cause instanceof CorruptLedgerError)) throw cause;
    const label = isUnknown ? 'old' : 'damaged';
    const name = quarantineFile(path, label, nowMs, LEDGER_COMPANIONS);
    const reason = isUnknown ? 'is from an earlier version of Gatehouse' : 'was damaged';
    warn({
      id: `ledger-${label}`,
      level: 'warning',
      message: `The database ${reason}. It was renamed to ${name}, and a new one was created.`,
      nextStep: 'Keep that file to recover earlier runs and conversations.',
    });
    return openLedgerFile(path);
  }
}

function createMemoryNotice(cause: unknown): Notice {
  const { message, nextStep } = toStorageError(cause, 'Data will be lost when Gatehouse closes');
  return {
    id: 'storage-in-memory',
    level: 'danger',
    message,
    nextStep: `${nextStep} Then restart Gatehouse.`,
  };
}

function createNoJournalNotice(cause: unknown): Notice {
  const { message, nextStep } = toStorageError(cause, 'Streams are recorded more slowly');
  return {
    id: 'no-journal',
    level: 'warning',
    message,
    nextStep: `${nextStep} Then restart Gatehouse.`,
  };
}
