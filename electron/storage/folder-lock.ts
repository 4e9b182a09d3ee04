/** Prevents two instances of Gatehouse from using the same data folder. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { getSqliteCode, sqlite } from './storage-error.ts';

export interface FolderLock {
  release(): void;
}

const holderSchema = z.object({ host: z.enum(['desktop', 'browser']), pid: z.int() });
export type FolderHolder = z.infer<typeof holderSchema>;

/** Holds an exclusive transaction; throws a `UserFacingError` if another process holds the lock. */
export function lockFolder(home: string, holder: FolderHolder): FolderLock {
  const lock = takeLock(home);
  const path = holderPath(home);
  try {
    writeFileSync(path, JSON.stringify(holder), { mode: 0o600 });
  } catch {
    // The lock works even if this file can't be written, such as on a full disk.
  }
  return {
    release() {
      try {
        rmSync(path, { force: true });
      } catch {
        // The folder may be read-only now; the next lock holder replaces the file.
      } finally {
        lock.release();
      }
    },
  };
}

function takeLock(home: string): FolderLock {
  const path = join(home, 'lock.sqlite');
  try {
    return hold(path);
  } catch (cause) {
    const code = getSqliteCode(cause);
    if (code === sqlite.busy) throw new UserFacingError(createInUseError(home));
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

const holderPath = (home: string) => join(home, 'holder.json');
const hostNames = { desktop: 'desktop app', browser: 'in the browser' };

function createInUseError(home: string) {
  const holder = readHolder(home);
  const who = holder === null ? '' : ` (${hostNames[holder.host]}, process ${holder.pid})`;
  return appError(
    'file',
    `Another Gatehouse is already using this data folder${who}.`,
    'Switch to it, close it, or set GATEHOUSE_HOME to another folder.',
    { detail: home },
  );
}

function readHolder(home: string): FolderHolder | null {
  try {
    const text = readFileSync(holderPath(home), 'utf8');
    return holderSchema.safeParse(parseJson(text)).data ?? null;
  } catch {
    return null;
  }
}
