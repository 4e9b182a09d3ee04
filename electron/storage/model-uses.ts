/** Which models were run, so that they can be suggested where a gateway lists none. */
import { AppFailure } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Database } from './database-access.ts';

/** More than anyone looks through. */
const KEPT = 50;

export interface ModelUses {
  /** Never throws for a disk that cannot be written. */
  remember(connectionId: string, operation: OperationName, model: string): void;
  /** Most recently used first. */
  used(connectionId: string, operation: OperationName): string[];
  /** Of a removed connection. */
  forget(connectionId: string): void;
}

export function createModelUses(db: Database, now: () => number): ModelUses {
  return {
    remember(connectionId, operation, model) {
      try {
        db.write(() =>
          db
            .sql('INSERT OR REPLACE INTO model_uses VALUES (?, ?, ?, ?)')
            .run(connectionId, operation, model, now()),
        );
      } catch (cause) {
        // A suggestion is not worth failing a run for; the ledger reports a full disk.
        if (!(cause instanceof AppFailure)) throw cause;
      }
    },
    used(connectionId, operation) {
      return db
        .sql(`SELECT model FROM model_uses WHERE connection_id = ? AND operation = ?
          ORDER BY used_at DESC, model LIMIT ${KEPT}`)
        .all(connectionId, operation)
        .map(({ model }) => String(model));
    },
    forget(connectionId) {
      db.write(() => db.sql('DELETE FROM model_uses WHERE connection_id = ?').run(connectionId));
    },
  };
}
