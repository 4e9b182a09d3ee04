/**
 * Schema 10: deletions that can still be undone. The target of a tool, preset or saved request is all of it, so it
 * may hold what the user typed there (a token in an extra body field or a header) until the deletion is final:
 * after a minute, or at the next start.
 */
export const deletionsMigration = `
  -- target: what undoing needs, as the kind's own JSON.
  CREATE TABLE deletions (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    deleted_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Rows that a deletion only hides name it.
  ALTER TABLE runs ADD COLUMN deletion TEXT;
  ALTER TABLE conversations ADD COLUMN deletion TEXT;
  ALTER TABLE messages ADD COLUMN deletion TEXT;
  ALTER TABLE media ADD COLUMN deletion TEXT;

  CREATE INDEX runs_by_deletion ON runs (deletion) WHERE deletion IS NOT NULL;
  CREATE INDEX conversations_by_deletion ON conversations (deletion) WHERE deletion IS NOT NULL;
  CREATE INDEX messages_by_deletion ON messages (deletion) WHERE deletion IS NOT NULL;
  CREATE INDEX media_by_deletion ON media (deletion) WHERE deletion IS NOT NULL;

  CREATE VIEW shown_runs AS SELECT * FROM runs WHERE removed = 0 AND deletion IS NULL;
  CREATE VIEW shown_conversations AS SELECT * FROM conversations WHERE deletion IS NULL;
  CREATE VIEW shown_messages AS SELECT * FROM messages WHERE deletion IS NULL;
`;
