/** Creates the ledger's schema, or brings it up to date. */
import type { DatabaseSync } from 'node:sqlite';
import { UserFacingError } from '../../shared/errors.ts';
import { LEDGER_SCHEMA } from './ledger-schema.ts';
import { inTransaction, newerVersionError } from './sqlite-file.ts';

/** The version that `LEDGER_SCHEMA` creates. Versions before it were never released. */
const BASE_VERSION = 25;

/** SQL that leads from one version to the next, oldest first. A released migration never changes. */
const ledgerMigrations: readonly string[] = [];

/** The ledger has a version that no release has written. */
export class UnknownVersionError extends Error {}

/**
 * Also writes if the schema is up to date, so that a read-only file is found at once. Throws
 * `UnknownVersionError`, or a `UserFacingError` if a newer Gatehouse wrote the file.
 */
export function migrate(db: DatabaseSync, migrations = ledgerMigrations): void {
  const latest = BASE_VERSION + migrations.length;
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > latest) throw new UserFacingError(newerVersionError('schema', version, latest));
  if (version > 0 && version < BASE_VERSION) {
    throw new UnknownVersionError(`Schema ${version} is not known.`);
  }
  inTransaction(db, () => {
    if (version === 0) db.exec(LEDGER_SCHEMA);
    for (const migration of migrations.slice(Math.max(0, version - BASE_VERSION))) {
      db.exec(migration);
    }
    db.exec(`PRAGMA user_version = ${latest}`);
  });
}
