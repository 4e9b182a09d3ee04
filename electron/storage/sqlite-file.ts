/** Helps to read, write and migrate an SQLite file. Threads load this file, so it must not import zod. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { appError, UserFacingError } from '../../shared/errors.ts';

/**
 * How long a write waits while another thread writes. Each holds the file for milliseconds, but on a
 * busy machine the system may suspend it for seconds.
 */
export const LEDGER_WAIT_MS = 5000;

export function createStatements(file: DatabaseSync): (text: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (text) => {
    const known = statements.get(text);
    if (known) return known;
    const statement = file.prepare(text);
    statements.set(text, statement);
    return statement;
  };
}

/** Yields rows one at a time and resets a failed statement, which Node doesn't do. */
export function* iterate(
  statement: StatementSync,
  values: Record<string, SQLInputValue>,
): Generator<Record<string, SQLOutputValue>> {
  try {
    yield* statement.iterate(values);
  } catch (cause) {
    try {
      statement.get(values);
    } catch {
      // Keep the first error, which is more specific.
    }
    throw cause;
  }
}

export function runInTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (cause) {
    // SQLite ends the transaction itself if the disk is full.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}

/** A schema and its version, which SQLite keeps in `user_version`. */
export interface Schema {
  sql: string;
  version: number;
  /** SQL that creates each later version from the one before; never change a released migration. */
  migrations: readonly string[];
}

/** Thrown if no release has written this version. */
export class UnknownVersionError extends Error {}

/**
 * Always writes, to detect a read-only file; throws `UnknownVersionError`, or `UserFacingError` if
 * the version is newer.
 */
export function migrate(db: DatabaseSync, { sql, version: first, migrations }: Schema): void {
  const latest = first + migrations.length;
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > latest) {
    throw new UserFacingError(
      appError(
        'file',
        `This data folder was created by a newer version of Gatehouse (schema ${version}; this version supports up to ${latest}).`,
        'Update Gatehouse, or set GATEHOUSE_HOME to another folder.',
      ),
    );
  }
  if (version > 0 && version < first) {
    throw new UnknownVersionError(`Schema ${version} isn’t known.`);
  }
  runInTransaction(db, () => {
    if (version === 0) db.exec(sql);
    for (const migration of migrations.slice(Math.max(0, version - first))) db.exec(migration);
    db.exec(`PRAGMA user_version = ${latest}`);
  });
}

/** Checking a larger file would block the main process for too long. */
const MAX_CHECKED_BYTES = 128 * 1024 * 1024;

export function isSmallEnoughToCheck(db: DatabaseSync): boolean {
  const size = db
    .prepare(`SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`)
    .get();
  return Number(size?.bytes) <= MAX_CHECKED_BYTES;
}
