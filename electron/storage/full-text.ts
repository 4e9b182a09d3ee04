/** The full-text indexes of messages and runs, if SQLite has FTS5 with its trigram tokenizer. */
import type { DatabaseSync } from 'node:sqlite';

/** Each index with the table whose column `text` it searches. */
const indexes = [
  { index: 'message_search', table: 'messages', row: 'message' },
  { index: 'run_search', table: 'run_texts', row: 'run_text' },
] as const;

/**
 * Creates the indexes and their triggers; returns false if SQLite lacks FTS5. The triggers are temporary, because a
 * build without FTS5 couldn't write through them; it sets `fullTextStale`, and the next start with FTS5 rebuilds.
 */
export function prepareFullText(db: DatabaseSync): boolean {
  const exists = (index: string) =>
    db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(index) !== undefined;
  if (!hasFullText(db)) {
    if (indexes.some(({ index }) => exists(index))) markFullTextStale(db);
    return false;
  }
  const stale = db.prepare("SELECT 1 FROM settings WHERE name = 'fullTextStale'").get();
  for (const { index, table } of indexes) {
    const made = exists(index);
    if (!made) {
      db.exec(`CREATE VIRTUAL TABLE ${index}
        USING fts5(text, content = '${table}', content_rowid = 'row', tokenize = 'trigram')`);
    }
    if (!made || stale) db.exec(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`);
  }
  createTriggers(db);
  if (stale) db.exec("DELETE FROM settings WHERE name = 'fullTextStale'");
  return true;
}

/** Every connection that writes needs the triggers. */
export function createTriggers(db: DatabaseSync): void {
  for (const { index, table, row } of indexes) {
    db.exec(`
      CREATE TEMP TRIGGER ${row}_added AFTER INSERT ON main.${table} BEGIN
        INSERT INTO ${index} (rowid, text) VALUES (new.row, new.text);
      END;
      CREATE TEMP TRIGGER ${row}_changed AFTER UPDATE OF text ON main.${table} BEGIN
        INSERT INTO ${index} (${index}, rowid, text) VALUES ('delete', old.row, old.text);
        INSERT INTO ${index} (rowid, text) VALUES (new.row, new.text);
      END;
      CREATE TEMP TRIGGER ${row}_removed AFTER DELETE ON main.${table} BEGIN
        INSERT INTO ${index} (${index}, rowid, text) VALUES ('delete', old.row, old.text);
      END`);
  }
}

/** Whether a finding of an integrity check is about an index, which can be rebuilt. */
export function isAboutIndex(finding: string): boolean {
  return indexes.some(({ index }) => finding.includes(index));
}

export function markFullTextStale(db: DatabaseSync): void {
  db.exec("INSERT OR REPLACE INTO settings (name, value) VALUES ('fullTextStale', 'true')");
}

function hasFullText(db: DatabaseSync): boolean {
  try {
    db.exec(`CREATE VIRTUAL TABLE temp.full_text_probe USING fts5(text, tokenize = 'trigram');
      DROP TABLE temp.full_text_probe`);
    return true;
  } catch {
    return false;
  }
}
