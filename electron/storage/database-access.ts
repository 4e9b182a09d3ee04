/** Gives stores cached statements and nested transactions on the ledger. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { createStatements } from './sqlite-file.ts';
import { isStorageError, toStorageError } from './storage-error.ts';

export interface Database {
  sql(text: string): StatementSync;
  /** Commits `work`, or rolls back if it throws; a nested `write` is a savepoint. */
  write<Result>(work: () => Result): Result;
  /**
   * Commits several works at once, except those that throw; returns their errors. Throws if the
   * transaction fails as a whole.
   */
  writeAll(works: readonly (() => void)[]): ReadonlyMap<() => void, unknown>;
  /** Returns true during a `write`, whose changes may still be rolled back. */
  isWriting(): boolean;
  warn(notice: Notice): void;
}

/** Returns false if the disk fails, after undoing what `work` has written. */
export function tryWriting(db: Pick<Database, 'write'>, work: () => void): boolean {
  try {
    db.write(work);
    return true;
  } catch (cause) {
    if (!(cause instanceof UserFacingError)) throw cause;
    return false;
  }
}

/** Other threads release the lock when the main process, which blocks while waiting, needs it. */
export interface WriteTurn {
  wanted: Int32Array;
}

export function createWriteTurn(): WriteTurn {
  return { wanted: new Int32Array(new SharedArrayBuffer(4)) };
}

/** Set only for the main process's connection. */
export function createDatabase(
  file: DatabaseSync,
  { turn = null, ...options }: Pick<Database, 'warn'> & { turn?: WriteTurn | null },
): Database {
  let depth = 0;

  function begin(): void {
    if (turn !== null) Atomics.store(turn.wanted, 0, 1);
    try {
      file.exec('BEGIN IMMEDIATE');
    } finally {
      if (turn !== null) Atomics.store(turn.wanted, 0, 0);
    }
  }

  const db: Database = {
    ...options,
    sql: createStatements(file),
    isWriting: () => depth > 0,
    writeAll(works) {
      const errors = new Map<() => void, unknown>();
      db.write(() => {
        for (const work of works) {
          try {
            db.write(work);
          } catch (cause) {
            // A full disk undoes the works before it, too.
            if (!file.isTransaction) throw cause;
            errors.set(work, cause);
          }
        }
      });
      return errors;
    },
    write(work) {
      const point = `level_${depth}`;
      try {
        if (depth === 0) begin();
        else file.exec(`SAVEPOINT ${point}`);
        depth += 1;
        try {
          const result = work();
          file.exec(depth === 1 ? 'COMMIT' : `RELEASE ${point}`);
          return result;
        } catch (cause) {
          // SQLite ends the transaction itself if the disk is full.
          if (file.isTransaction) {
            file.exec(depth === 1 ? 'ROLLBACK' : `ROLLBACK TO ${point}; RELEASE ${point}`);
          }
          throw cause;
        } finally {
          depth -= 1;
        }
      } catch (cause) {
        if (!isStorageError(cause)) throw cause;
        throw new UserFacingError(toStorageError(cause, 'Your changes couldn’t be saved'));
      }
    },
  };
  return db;
}
