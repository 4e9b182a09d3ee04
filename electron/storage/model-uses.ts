/** Remembers which models were used, to suggest them if a gateway lists none. */
import { UserFacingError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Database } from './database-access.ts';

const MAX_SUGGESTED = 50;
const LATEST_RUNS = 1000;

export type ModelUses = ReturnType<typeof createModelUses>;

/** `format` is empty for the operation's default format. */
export interface ModelUse {
  /** Unix milliseconds. */
  usedAt: number;
  format: string;
}

export function createModelUses(db: Database, now: () => number) {
  function tryWrite(change: () => unknown): void {
    try {
      db.write(change);
    } catch (cause) {
      // A lost suggestion must not fail a run, and the write buffer already reports a full disk.
      if (!(cause instanceof UserFacingError)) throw cause;
    }
  }

  function write(
    connectionId: string,
    operation: OperationName,
    model: string,
    { usedAt, format }: ModelUse,
  ): void {
    tryWrite(() =>
      db
        .sql('INSERT OR REPLACE INTO model_uses VALUES (?, ?, ?, ?, ?)')
        .run(connectionId, operation, model, usedAt, format),
    );
  }

  return {
    /** Returns the previous use, or null; ignores a full disk. */
    remember(
      connectionId: string,
      operation: OperationName,
      model: string,
      format = '',
    ): ModelUse | null {
      const before = db
        .sql(`SELECT used_at, format FROM model_uses
          WHERE connection_id = ? AND operation = ? AND model = ?`)
        .get(connectionId, operation, model);
      write(connectionId, operation, model, { usedAt: now(), format });
      return before === undefined ? null : readUse(before);
    },
    /** Reverts `remember`, which returned `before`; ignores a full disk. */
    takeBack(
      connectionId: string,
      operation: OperationName,
      model: string,
      before: ModelUse | null,
    ) {
      if (before !== null) return write(connectionId, operation, model, before);
      tryWrite(() =>
        db
          .sql('DELETE FROM model_uses WHERE connection_id = ? AND operation = ? AND model = ?')
          .run(connectionId, operation, model),
      );
    },
    /** Returns models with their last use, newest first. */
    listUsed(connectionId: string, operation: OperationName): ({ id: string } & ModelUse)[] {
      return db
        .sql(`SELECT model, used_at, format FROM model_uses WHERE connection_id = ? AND operation = ?
          ORDER BY used_at DESC, model LIMIT ${MAX_SUGGESTED}`)
        .all(connectionId, operation)
        .map((row) => ({ id: String(row.model), ...readUse(row) }));
    },
    /** Returns models that succeeded in recent comparisons, newest first. */
    listCompared(connectionId: string, operation: OperationName): string[] {
      return db
        .sql(`SELECT model FROM (SELECT * FROM shown_runs WHERE connection_id = ?
            ORDER BY created_at DESC, id DESC LIMIT ${LATEST_RUNS})
          WHERE operation = ? AND comparison_id IS NOT NULL AND status = 'succeeded'
          GROUP BY model ORDER BY max(created_at) DESC, model LIMIT ${MAX_SUGGESTED}`)
        .all(connectionId, operation)
        .map(({ model }) => String(model));
    },
    forget(connectionId: string): void {
      db.write(() => db.sql('DELETE FROM model_uses WHERE connection_id = ?').run(connectionId));
    },
  };
}

function readUse({ used_at: usedAt, format }: Record<string, unknown>): ModelUse {
  return { usedAt: Number(usedAt), format: String(format) };
}
