/** Remembers which models were used, to suggest them if a gateway lists none. */
import type { SQLInputValue } from 'node:sqlite';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { type Database, tryWriting } from './database-access.ts';

const MAX_SUGGESTED = 50;
const LATEST_RUNS = 1000;
const IS_USE = 'connection_id = ? AND operation = ? AND model = ?';

/** `format` is empty for the operation's default format. */
export interface ModelUse {
  /** Unix milliseconds. */
  usedAt: number;
  format: string;
}

export interface ModelUses {
  /** Returns the previous use, or null; ignores a full disk. */
  remember(
    connectionId: string,
    operation: OperationName,
    model: string,
    format?: string,
  ): ModelUse | null;
  /** Reverts `remember`, which returned `before`; ignores a full disk. */
  takeBack(
    connectionId: string,
    operation: OperationName,
    model: string,
    before: ModelUse | null,
  ): void;
  /** Returns models with their last use, newest first. */
  listUsed(connectionId: string, operation: OperationName): ({ id: string } & ModelUse)[];
  /** Returns models that succeeded in recent comparisons, newest first. */
  listCompared(connectionId: string, operation: OperationName): string[];
  /** Forgets all uses of a connection. */
  forget(connectionId: string): void;
}

export function createModelUses(db: Database, now: () => number): ModelUses {
  /** A lost suggestion must not fail a run, and the event writer already reports a full disk. */
  function tryWrite(sql: string, ...values: SQLInputValue[]): void {
    tryWriting(db, () => void db.sql(sql).run(...values));
  }

  function write(key: readonly string[], { usedAt, format }: ModelUse): void {
    tryWrite('INSERT OR REPLACE INTO model_uses VALUES (?, ?, ?, ?, ?)', ...key, usedAt, format);
  }

  return {
    remember(connectionId, operation, model, format = '') {
      const key = [connectionId, operation, model];
      const before = db.sql(`SELECT used_at, format FROM model_uses WHERE ${IS_USE}`).get(...key);
      write(key, { usedAt: now(), format });
      return before === undefined ? null : readUse(before);
    },
    takeBack(connectionId, operation, model, before) {
      const key = [connectionId, operation, model];
      if (before !== null) write(key, before);
      else tryWrite(`DELETE FROM model_uses WHERE ${IS_USE}`, ...key);
    },
    listUsed(connectionId, operation) {
      return db
        .sql(`SELECT model, used_at, format FROM model_uses WHERE connection_id = ? AND operation = ?
          ORDER BY used_at DESC, model LIMIT ${MAX_SUGGESTED}`)
        .all(connectionId, operation)
        .map((row) => ({ id: String(row.model), ...readUse(row) }));
    },
    listCompared(connectionId, operation) {
      return db
        .sql(`SELECT model FROM (SELECT * FROM shown_runs WHERE connection_id = ? AND check_id IS NULL
            ORDER BY created_at DESC, id DESC LIMIT ${LATEST_RUNS})
          WHERE operation = ? AND comparison_id IS NOT NULL AND status = 'succeeded'
          GROUP BY model ORDER BY max(created_at) DESC, model LIMIT ${MAX_SUGGESTED}`)
        .all(connectionId, operation)
        .map(({ model }) => String(model));
    },
    forget(connectionId) {
      db.write(() => db.sql('DELETE FROM model_uses WHERE connection_id = ?').run(connectionId));
    },
  };
}

function readUse({ used_at: usedAt, format }: Record<string, unknown>): ModelUse {
  return { usedAt: Number(usedAt), format: String(format) };
}
