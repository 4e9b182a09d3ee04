/** Opens the ledger file and checks it after a crash. */
import { DatabaseSync } from 'node:sqlite';
import { ADD_CHECKS, LEDGER_SCHEMA } from './ledger-schema.ts';
import { isSmallEnoughToCheck, LEDGER_WAIT_MS, migrate, type Schema } from './sqlite-file.ts';
import { getSqliteCode, isCorruption, sqlite } from './storage-error.ts';

export class CorruptLedgerError extends Error {}

/**
 * Throws `CorruptLedgerError`, `UnknownVersionError`, `UserFacingError` (newer) or an SQLite error.
 */
export function openLedgerFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: LEDGER_WAIT_MS, enableForeignKeyConstraints: true });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = 67108864`);
    const damagedIndexes = wasClosed(db) ? [] : check(db);
    migrate(db, ledgerSchema);
    db.exec('UPDATE file_state SET closed = 0');
    for (const index of damagedIndexes) {
      db.exec(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`);
    }
    return db;
  } catch (cause) {
    db.close();
    // A migration fails with an SQL error if the file lacks the tables of its version.
    if (isCorruption(cause) || getSqliteCode(cause) === sqlite.error)
      throw new CorruptLedgerError(String(cause), { cause });
    throw cause;
  }
}

export function closeLedgerFile(db: DatabaseSync): void {
  try {
    db.exec('UPDATE file_state SET closed = 1');
  } catch {
    // If the disk is full or missing, the next start checks the file.
  }
  db.close();
}

function wasClosed(db: DatabaseSync): boolean {
  const isKnown = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'file_state'").get();
  return isKnown !== undefined && db.prepare('SELECT closed FROM file_state').get()?.closed === 1;
}

/** Returns damaged text indexes, which can be rebuilt; throws for any other damage. */
function check(db: DatabaseSync): string[] {
  if (!isSmallEnoughToCheck(db)) return [];
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

/** Earlier builds, which were never released, wrote versions up to 39. */
export const ledgerSchema: Schema = {
  sql: LEDGER_SCHEMA,
  version: 40,
  migrations: [ADD_CHECKS],
};
