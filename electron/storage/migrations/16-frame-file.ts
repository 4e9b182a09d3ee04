/** Schema 16: the ledger has an ID, by which the file with the frames of its runs is known, and knows how it was left. */
export const frameFileMigration = `
  CREATE TABLE IF NOT EXISTS identity (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    id TEXT NOT NULL,
    -- 1 from the end of one Gatehouse to the start of the next.
    closed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT OR IGNORE INTO identity (row, id) VALUES (1, lower(hex(randomblob(16))));
`;
