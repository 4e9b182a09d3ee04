/** Schema 10: deletions that can still be undone. */
export const deletionsMigration = `
  -- target: what undoing needs, as the kind's own JSON.
  CREATE TABLE deletions (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    deleted_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Rows that a deletion only hides name it. Of runs, removed = 2 says the same.
  ALTER TABLE conversations ADD COLUMN deletion TEXT;
  ALTER TABLE messages ADD COLUMN deletion TEXT;
  ALTER TABLE media ADD COLUMN deletion TEXT;

  CREATE VIEW shown_conversations AS SELECT * FROM conversations WHERE deletion IS NULL;
  CREATE VIEW shown_messages AS SELECT * FROM messages WHERE deletion IS NULL;
`;
