/** Opens the ledger file, creates its schema and runs migrations. */
import { DatabaseSync } from 'node:sqlite';
import { UserFacingError } from '../../shared/errors.ts';
import { LEDGER_SCHEMA } from './ledger-schema.ts';
import { inTransaction, newerVersionError, passesQuickCheck } from './sqlite-file.ts';
import { isCorruption, sqlite, sqliteCode } from './storage-error.ts';

export class CorruptLedgerError extends Error {}

/**
 * Throws `CorruptLedgerError`, `UnknownVersionError`, `UserFacingError` (newer) or an SQLite error.
 */
export function openLedgerFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 1000, enableForeignKeyConstraints: true });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = 67108864`);
    const damagedIndexes = wasClosed(db) ? [] : check(db);
    migrate(db);
    db.exec('UPDATE identity SET closed = 0');
    for (const index of damagedIndexes) {
      db.exec(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`);
    }
    return db;
  } catch (cause) {
    db.close();
    // A migration fails with an SQL error if the file lacks the tables of its version.
    if (isCorruption(cause) || sqliteCode(cause) === sqlite.error)
      throw new CorruptLedgerError(String(cause), { cause });
    throw cause;
  }
}

export function closeLedgerFile(db: DatabaseSync): void {
  try {
    db.exec('UPDATE identity SET closed = 1');
  } catch {
    // If the disk is full or missing, the next start checks the file.
  }
  db.close();
}

function wasClosed(db: DatabaseSync): boolean {
  const isKnown = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").get();
  return isKnown !== undefined && db.prepare('SELECT closed FROM identity').get()?.closed === 1;
}

/** Returns damaged text indexes, which can be rebuilt; throws for any other damage. */
function check(db: DatabaseSync): string[] {
  if (!passesQuickCheck(db)) return [];
  const findings = db
    .prepare('PRAGMA quick_check(20)')
    .all()
    .map((row) => String(row.quick_check))
    .filter((finding) => finding !== 'ok' && !finding.startsWith('unable to validate'));
  const indexes = ['message_search', 'run_search'];
  const isAboutIndex = (finding: string) => indexes.some((index) => finding.includes(index));
  if (!findings.every(isAboutIndex)) throw new CorruptLedgerError(findings.join('\n'));
  return indexes.filter((index) => findings.some((finding) => finding.includes(index)));
}

/** Version that `LEDGER_SCHEMA` creates; earlier versions were never released. */
const BASE_VERSION = 36;

/** SQL to migrate to each next version, oldest first; never change a released migration. */
const ledgerMigrations: readonly string[] = [];

/** Thrown if no release has written this ledger version. */
export class UnknownVersionError extends Error {}

/** Always writes, to detect a read-only file; throws if the version is newer or unknown. */
export function migrate(db: DatabaseSync, migrations = ledgerMigrations): void {
  const latest = BASE_VERSION + migrations.length;
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > latest) throw new UserFacingError(newerVersionError('schema', version, latest));
  if (version > 0 && version < BASE_VERSION) {
    throw new UnknownVersionError(`Schema ${version} isn’t known.`);
  }
  inTransaction(db, () => {
    if (version === 0) db.exec(LEDGER_SCHEMA);
    for (const migration of migrations.slice(Math.max(0, version - BASE_VERSION))) {
      db.exec(migration);
    }
    db.exec(`PRAGMA user_version = ${latest}`);
  });
}
