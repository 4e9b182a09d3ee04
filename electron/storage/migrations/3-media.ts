/** Schema 3: media. A row without a hash is a file that still grows, or whose writer died. */
export const mediaMigration = `
  -- Several rows may share a hash: each id is a permission of its own, the file is stored once.
  CREATE TABLE media (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    hash TEXT,
    kind TEXT NOT NULL,
    type TEXT NOT NULL,
    declared_type TEXT,
    name TEXT,
    size_bytes INTEGER NOT NULL,
    width INTEGER,
    height INTEGER,
    duration_seconds REAL,
    sample_rate INTEGER,
    channels INTEGER,
    frame_rate REAL,
    created_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX media_by_time ON media (created_at, id) WHERE hash IS NOT NULL;
  CREATE INDEX media_by_hash ON media (hash);
`;
