/** The index that searches messages, where this build of SQLite has FTS5 with its trigram tokenizer. */
import type { DatabaseSync } from 'node:sqlite';

/**
 * Makes the index and keeps it up to date; false where messages are to be searched without one.
 * The triggers are temporary, because another build without FTS5 could not write through them;
 * what it wrote meanwhile is marked by `fullTextStale` and indexed at the next start with FTS5.
 */
export function prepareFullText(db: DatabaseSync): boolean {
  const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'message_search'").get();
  if (!hasFullText(db)) {
    if (exists) markFullTextStale(db);
    return false;
  }
  const stale = db.prepare("SELECT 1 FROM settings WHERE name = 'fullTextStale'").get();
  if (!exists) {
    db.exec(`CREATE VIRTUAL TABLE message_search
      USING fts5(text, content = 'messages', content_rowid = 'row', tokenize = 'trigram')`);
  }
  if (!exists || stale) {
    db.exec(`INSERT INTO message_search (message_search) VALUES ('rebuild');
      DELETE FROM settings WHERE name = 'fullTextStale'`);
  }
  db.exec(`
    CREATE TEMP TRIGGER message_added AFTER INSERT ON main.messages BEGIN
      INSERT INTO message_search (rowid, text) VALUES (new.row, new.text);
    END;
    CREATE TEMP TRIGGER message_changed AFTER UPDATE OF text ON main.messages BEGIN
      INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.row, old.text);
      INSERT INTO message_search (rowid, text) VALUES (new.row, new.text);
    END;
    CREATE TEMP TRIGGER message_removed AFTER DELETE ON main.messages BEGIN
      INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.row, old.text);
    END`);
  return true;
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
