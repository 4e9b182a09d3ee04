/** Schema 4: saved tools, what a conversation sends along, and spoken answers. */
export const chatMigration = `
  ALTER TABLE conversations ADD COLUMN options TEXT;
  ALTER TABLE messages ADD COLUMN audio TEXT;
  CREATE TABLE tools (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    created_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
