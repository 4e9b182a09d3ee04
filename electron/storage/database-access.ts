/** What the stores use of SQLite: prepared statements that are kept, and transactions that nest. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { isStorageError, storageError } from './storage-error.ts';

export interface Database {
  /** Prepared once per text and kept. */
  sql(text: string): StatementSync;
  /**
   * Runs `work` as one transaction, undone whole when it throws. Inside another `write` it is a part
   * of that one. Trouble with the disk or the folder is thrown as a `UserFacingError`.
   */
  write<Result>(work: () => Result): Result;
  /** Whether a `write` is under way, which may still be undone whole. */
  isWriting(): boolean;
  /** Whether `message_search` can be queried. */
  readonly fullText: boolean;
  /** For the user: a row that could not be read, and the like. */
  warn(notice: Notice): void;
}

/** Prepared once per text and kept. */
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

/**
 * One row after the other. What it throws is thrown once: Node leaves a statement that fails between two rows as it
 * is, and would throw the same at its next use, whatever that reads.
 */
export function* iterate(
  statement: StatementSync,
  values: Record<string, SQLInputValue>,
): Generator<Record<string, SQLOutputValue>> {
  try {
    yield* statement.iterate(values);
  } catch (cause) {
    try {
      // Resets it, whether it finds anything or throws once more.
      statement.get(values);
    } catch {
      // The first cause tells more.
    }
    throw cause;
  }
}

/** Main's thread stands still for the ledger's lock: what writes on another thread gives way. */
export interface WriteTurn {
  /** 1 while main waits. */
  wanted: Int32Array;
}

export function createWriteTurn(): WriteTurn {
  return { wanted: new Int32Array(new SharedArrayBuffer(4)) };
}

/** `turn` is given for main's own connection. */
export function createDatabase(
  file: DatabaseSync,
  { turn = null, ...options }: Pick<Database, 'fullText' | 'warn'> & { turn?: WriteTurn | null },
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

  return {
    ...options,
    sql: createStatements(file),
    isWriting: () => depth > 0,
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
          // A full disk ends the transaction by itself.
          if (file.isTransaction) {
            file.exec(depth === 1 ? 'ROLLBACK' : `ROLLBACK TO ${point}; RELEASE ${point}`);
          }
          throw cause;
        } finally {
          depth -= 1;
        }
      } catch (cause) {
        if (!isStorageError(cause)) throw cause;
        throw new UserFacingError(storageError(cause, 'Your changes could not be saved'));
      }
    },
  };
}

/** The notice for a row that a newer or damaged file left unreadable; shown once per kind of row. */
export function unreadable(what: string): Notice {
  return {
    id: `unreadable-${what}`,
    level: 'warning',
    message: `Some stored ${what} could not be read and were skipped.`,
    nextStep: 'Nothing was deleted. Check the disk for errors.',
  };
}
