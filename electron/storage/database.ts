/** Opens the files in the data folder and recovers from damaged ones. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { finishRestore } from '../backup/restore-folders.ts';
import { createDatabase, createWriteTurn, type Database } from './database-access.ts';
import { type FolderHolder, type FolderLock, lockFolder } from './folder-lock.ts';
import type { FrameFile } from './frames/frame-file.ts';
import {
  CorruptFramesError,
  closeFrameFile,
  MismatchedFramesError,
  openFrameFile,
} from './frames/frame-file.ts';
import { createFrameSink } from './frames/frame-sink.ts';
import { type FrameWriter, writeInline, writeOnThread } from './frames/frame-writer.ts';
import { CorruptLedgerError, closeLedgerFile, openLedgerFile } from './ledger-file.ts';
import { quarantineFile } from './quarantine-file.ts';
import { type Searcher, searchInline, searchOnThread } from './search/searcher.ts';
import { createStatements, UnknownVersionError } from './sqlite-file.ts';
import { isCorruption, sqlite, sqliteCode, storageError } from './storage-error.ts';

export interface Storage {
  readonly db: Database;
  readonly frames: { file: FrameFile; writer: FrameWriter };
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
}

/**
 * Creates and locks the folder; throws a `UserFacingError` if it is in use or from a newer version.
 */
export function openStorage({
  home,
  now,
  host = 'browser',
  inline = false,
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
  const path = join(home, 'ledger.sqlite');
  const framePath = join(home, 'frames.sqlite');
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    lock = lockFolder(home, { host, pid: process.pid });
    finishRestore(home, warn);
    file = openOrReplace(path, framePath, now(), warn);
  } catch (cause) {
    if (cause instanceof UserFacingError) {
      lock?.release();
      throw cause;
    }
    warn(nothingIsKept(cause));
    file = openLedgerFile(':memory:');
    inMemory = true;
  }
  let frames: DatabaseSync | null = null;
  try {
    if (!inMemory) frames = openFrames(framePath, file, now(), warn);
  } catch (cause) {
    if (cause instanceof UserFacingError) {
      file.close();
      lock?.release();
      throw cause;
    }
    warn(noFrameIsKept(cause));
  }

  const isInline = inMemory || inline;
  const frameFile = frames ?? openFrameFile(':memory:', getLedgerId(file));
  const writer =
    isInline || frames === null
      ? writeInline(createFrameSink(frameFile))
      : writeOnThread(framePath);
  const turn = createWriteTurn();
  const db = createDatabase(file, { warn, turn });
  const search = isInline ? searchInline(db) : searchOnThread(path, turn);
  function free(): void {
    closeLedgerFile(file);
    closeFrameFile(frameFile);
    lock?.release();
  }
  return {
    db,
    search,
    frames: {
      file: { sql: createStatements(frameFile) },
      writer,
    },
    notices,
    warn,
    onNotice: (listener) => listeners.add(listener),
    inMemory,
    async close() {
      const closed = Promise.all([writer.close(), search.close()]);
      // The threads must close their connections before another process can use the folder.
      if (!isInline) await closed;
      free();
    },
  };
}

const journals = ['-wal', '-shm'];

function openOrReplace(
  path: string,
  framePath: string,
  nowMs: number,
  warn: (notice: Notice) => void,
): DatabaseSync {
  try {
    return openLedgerFile(path);
  } catch (cause) {
    const isUnknown = cause instanceof UnknownVersionError;
    if (!isUnknown && !(cause instanceof CorruptLedgerError)) throw cause;
    const label = isUnknown ? 'old' : 'damaged';
    const name = quarantineFile(path, label, nowMs, journals);
    if (existsSync(framePath)) quarantineFile(framePath, label, nowMs, journals);
    const reason = isUnknown ? 'has an unknown version' : 'was damaged';
    warn({
      id: `ledger-${label}`,
      level: 'warning',
      message: `The database ${reason}. It was renamed to ${name}, and a new one was created.`,
      nextStep: 'Keep that file to recover earlier runs and conversations.',
    });
    return openLedgerFile(path);
  }
}

function openFrames(
  path: string,
  ledger: DatabaseSync,
  nowMs: number,
  warn: (notice: Notice) => void,
): DatabaseSync {
  // Read the ID first, so that a damaged ledger doesn't make its frames look foreign.
  const id = getLedgerId(ledger);
  const lastRun = getLastRun(ledger);
  try {
    return openFrameFile(path, id, lastRun);
  } catch (cause) {
    const isDamaged = isCorruption(cause) || sqliteCode(cause) === sqlite.error;
    const isOther = [MismatchedFramesError, UnknownVersionError, CorruptFramesError].some(
      (type) => cause instanceof type,
    );
    if (!isDamaged && !isOther) throw cause;
    const name = quarantineFile(path, 'damaged', nowMs, journals);
    warn({
      id: 'frames-damaged',
      level: 'warning',
      message: `Streamed responses from earlier runs couldn’t be read. The file was renamed to ${name}, and a new one was created.`,
      nextStep: 'Keep that file to recover them.',
    });
    return openFrameFile(path, id);
  }
}

function getLastRun(ledger: DatabaseSync): number {
  return Number(ledger.prepare('SELECT max(row) AS last FROM runs').get()?.last ?? 0);
}

function getLedgerId(file: DatabaseSync): string {
  return String(file.prepare('SELECT id FROM identity').get()?.id);
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

function noFrameIsKept(cause: unknown): Notice {
  const { message, nextStep } = storageError(
    cause,
    'Streamed responses will be lost when Gatehouse closes',
  );
  return {
    id: 'frames-in-memory',
    level: 'danger',
    message,
    nextStep: `${nextStep} Then restart Gatehouse.`,
  };
}
