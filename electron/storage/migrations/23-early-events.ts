import type { DatabaseSync } from 'node:sqlite';

/** Schema 23: which runs can have events in `early_events`, and an index by which the others' exchanges are found. */
export function migrateEarlyEvents(db: DatabaseSync): void {
  // The first form of schema 22 copied all of them.
  const areCopied = !db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'early_events'").get();
  if (areCopied) db.exec(emptyTable);
  db.exec(`
    CREATE INDEX events_by_exchange ON events (run, kind, exchange)
      WHERE kind NOT IN ('chunk', 'progress');
    ALTER TABLE identity ADD COLUMN last_early_run INTEGER NOT NULL DEFAULT 0;
  `);
  if (!areCopied) {
    db.exec('UPDATE identity SET last_early_run = coalesce((SELECT max(row) FROM runs), 0)');
  }
}

/** As schema 22 leaves it. */
const emptyTable = `
  DROP INDEX events_by_kind;
  CREATE TABLE early_events (
    run INTEGER NOT NULL REFERENCES runs (row) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at_ms REAL NOT NULL,
    exchange INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX events_by_kind ON early_events (run, kind, exchange)
    WHERE kind NOT IN ('chunk', 'progress');
`;
