/** Opens the data folder's database, whatever state the folder is in, or says why that cannot be. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Notice } from '../../shared/contract/system.ts';
import { AppFailure } from '../../shared/errors.ts';
import { createDatabase, type Database } from './database-access.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { prepareFullText } from './full-text.ts';
import { DamagedLedger, openLedgerFile } from './ledger-file.ts';
import { setAside } from './set-aside.ts';
import { storageError } from './storage-error.ts';

export interface Storage {
  readonly db: Database;
  /** What the user should know, each once, as it is found; it grows. */
  readonly notices: readonly Notice[];
  /** Adds a notice unless one with its id is there. */
  warn(notice: Notice): void;
  /** Called for notices that are found from now on. */
  onNotice(listener: (notice: Notice) => void): void;
  /** True where nothing outlives this process, because the folder cannot be written. */
  readonly inMemory: boolean;
  close(): void;
}

/**
 * Makes the folder (mode 0700) and locks it. A damaged ledger is set aside; a folder that cannot be
 * written is replaced by memory. Throws an `AppFailure` where another Gatehouse uses the folder or
 * a newer one wrote it.
 */
export function openStorage({ home, now }: { home: string; now: () => number }): Storage {
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
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    lock = lockFolder(home);
    file = openOrReplace(join(home, 'ledger.sqlite'), now(), warn);
  } catch (cause) {
    if (cause instanceof AppFailure) {
      lock?.release();
      throw cause;
    }
    warn(nothingIsKept(cause));
    file = openLedgerFile(':memory:');
    inMemory = true;
  }

  return {
    db: createDatabase(file, { fullText: prepareFullText(file), warn }),
    notices,
    warn,
    onNotice: (listener) => listeners.add(listener),
    inMemory,
    close() {
      file.close();
      lock?.release();
    },
  };
}

function openOrReplace(path: string, nowMs: number, warn: (notice: Notice) => void): DatabaseSync {
  try {
    return openLedgerFile(path);
  } catch (cause) {
    if (!(cause instanceof DamagedLedger)) throw cause;
    const name = setAside(path, nowMs, ['-wal', '-shm']);
    warn({
      id: 'ledger-damaged',
      level: 'warning',
      message: `The ledger was damaged. It was renamed to ${name}, and a new one was created.`,
      nextStep: 'Keep that file if you want to recover earlier runs and conversations from it.',
    });
    return openLedgerFile(path);
  }
}

function nothingIsKept(cause: unknown): Notice {
  const { message, nextStep } = storageError(cause, 'Data will be lost when Gatehouse closes');
  return {
    id: 'storage-in-memory',
    level: 'danger',
    message,
    nextStep: `${nextStep} Then restart Gatehouse.`,
  };
}
