/** What the files of the data folder have in common: a transaction, and the refusal of a newer schema. */
import type { DatabaseSync } from 'node:sqlite';
import { type AppError, appError } from '../../shared/errors.ts';

/** All of `work` is written, or nothing of it. Throws what `work` and SQLite throw. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (cause) {
    // A full disk ends the transaction by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}

/** `what`: whose version it is, such as "schema". */
export function newerVersionError(what: string, version: number, supported: number): AppError {
  return appError(
    'file',
    `This data folder was created by a newer version of Gatehouse (${what} ${version}; this version supports up to ${supported}).`,
    'Update Gatehouse, or set GATEHOUSE_HOME to another folder.',
    {},
  );
}
