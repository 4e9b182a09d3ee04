/** Validates the database of an untrusted backup. Threads load this file. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DataContents } from '../../shared/contract/backups.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { LEDGER_NAME } from '../storage/file-names.ts';
import { closeLedgerFile, ledgerSchema, openLedgerFile } from '../storage/ledger-file.ts';
import { migrate } from '../storage/sqlite-file.ts';
import { createBackupError } from './backup-names.ts';
import { countContents } from './count-contents.ts';

/** Returns a summary of the backup; throws a `UserFacingError` if its database can't be used. */
export function checkDatabases(folder: string): DataContents {
  try {
    const ledger = join(folder, LEDGER_NAME);
    requireSchema(ledger, createLedger);
    return checkLedger(ledger);
  } catch (cause) {
    if (cause instanceof UserFacingError) throw cause;
    throw createBackupError('The databases in the backup can’t be read.');
  }
}

function createLedger(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  migrate(db, ledgerSchema);
  return db;
}

/** Rejects other schemas, because an unknown trigger or view could change data later. */
function requireSchema(path: string, createEmpty: () => DatabaseSync): void {
  const db = new DatabaseSync(path, { readOnly: true });
  const empty = createEmpty();
  try {
    const [version, expected] = [db, empty].map((each) =>
      Number(each.prepare('PRAGMA user_version').get()?.user_version),
    );
    if (version !== expected) {
      throw createBackupError(
        `The backup has version ${version} of the database; this Gatehouse needs version ${expected}.`,
        'Nothing was changed. Restore it with the version of Gatehouse that made it.',
      );
    }
    const [found, wanted] = [db, empty].map((each) =>
      JSON.stringify(
        each.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
      ),
    );
    if (found !== wanted) throw createBackupError('The databases in the backup were changed.');
    const finding = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (finding !== 'ok') throw createBackupError('The databases in the backup are damaged.');
  } finally {
    db.close();
    empty.close();
  }
}

function checkLedger(path: string): DataContents {
  const db = openLedgerFile(path);
  try {
    // IDs and hashes become file names, so a malformed one could escape the media folder.
    const unsafe = db
      .prepare(`SELECT 1 FROM media WHERE length(id) <> 22 OR id GLOB '*[^A-Za-z0-9_-]*'
        OR length(hash) <> 64 OR hash GLOB '*[^0-9a-f]*' LIMIT 1`)
      .get();
    if (unsafe !== undefined)
      throw createBackupError('The backup has a media item whose ID is a path.');
    db.exec('DELETE FROM media WHERE hash IS NULL');
    return countContents((text) => db.prepare(text));
  } finally {
    closeLedgerFile(db);
  }
}
