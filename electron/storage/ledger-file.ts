/** Opens the ledger's file: whole and up to date, or it throws. */
import { DatabaseSync } from 'node:sqlite';
import { isAboutIndex, markFullTextStale } from './full-text.ts';
import { migrate } from './migrate.ts';
import { passesQuickCheck } from './quick-check.ts';
import { isCorruption, sqlite, sqliteCode } from './storage-error.ts';

/** The file is not a ledger, or not a whole one. */
export class CorruptLedgerError extends Error {}

/** `path` may be `:memory:`. Throws `DamagedLedger`, an `AppFailure` (newer schema) or an error of SQLite. */
export function openLedgerFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 1000, enableForeignKeyConstraints: true });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = 67108864`);
    const findings = wasClosed(db) ? [] : check(db);
    migrate(db);
    db.exec('UPDATE identity SET closed = 0');
    if (findings.length > 0) markFullTextStale(db);
    return db;
  } catch (cause) {
    db.close();
    // SQL errors of a migration: the file has tables that no ledger of its version has.
    if (isCorruption(cause) || sqliteCode(cause) === sqlite.error)
      throw new CorruptLedgerError(String(cause), { cause });
    throw cause;
  }
}

/** Closes it; the next start need not check it. */
export function closeLedgerFile(db: DatabaseSync): void {
  try {
    db.exec('UPDATE identity SET closed = 1');
  } catch {
    // A disk that is full or gone: then it is checked.
  }
  db.close();
}

/** False also where an earlier Gatehouse wrote it. */
function wasClosed(db: DatabaseSync): boolean {
  const isKnown = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").get();
  return isKnown !== undefined && db.prepare('SELECT closed FROM identity').get()?.closed === 1;
}

/** What is wrong with the search index alone, which can be made again; anything else throws. */
function check(db: DatabaseSync): string[] {
  if (!passesQuickCheck(db)) return [];
  const findings = db
    .prepare('PRAGMA quick_check(20)')
    .all()
    .map((row) => String(row.quick_check))
    .filter((finding) => finding !== 'ok' && !finding.startsWith('unable to validate'));
  const ofIndex = findings.filter(isAboutIndex);
  if (findings.length > ofIndex.length) throw new CorruptLedgerError(findings.join('\n'));
  return ofIndex;
}
