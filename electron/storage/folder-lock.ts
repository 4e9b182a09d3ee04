/** Lets one Gatehouse at a time use a data folder. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppFailure, appError } from '../../shared/errors.ts';
import { sqlite, sqliteCode } from './storage-error.ts';

export interface FolderLock {
  release(): void;
}

/**
 * Holds an exclusive transaction on a file of its own: the operating system frees it however the
 * process ends. Throws an `AppFailure` where another Gatehouse holds it.
 */
export function lockFolder(home: string): FolderLock {
  const path = join(home, 'lock.sqlite');
  try {
    return hold(path);
  } catch (cause) {
    const code = sqliteCode(cause);
    if (code === sqlite.busy) throw new AppFailure(inUse(home));
    if (code !== sqlite.notADatabase && code !== sqlite.corrupt) throw cause;
    rmSync(path);
    return hold(path);
  }
}

function hold(path: string): FolderLock {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    throw cause;
  }
  return { release: () => db.close() };
}

function inUse(home: string) {
  return appError(
    'file',
    'Another Gatehouse is already using this data folder.',
    'Switch to it, close it, or set GATEHOUSE_HOME to another folder.',
    { detail: home },
  );
}
