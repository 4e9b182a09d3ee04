/** Schema 1: runs with their events, settings, connections and the models that were used. */
export const runsMigration = `
  CREATE TABLE runs (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    connection_name TEXT NOT NULL,
    base_url TEXT NOT NULL,
    model TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at REAL NOT NULL,
    started_at REAL,
    finished_at REAL,
    http_status INTEGER,
    error TEXT,
    timings TEXT,
    figures TEXT,
    conversation_id TEXT,
    preview TEXT NOT NULL,
    request TEXT NOT NULL,
    extra_body TEXT NOT NULL,
    seq INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (created_at, id);
  CREATE INDEX runs_by_connection ON runs (connection_id, created_at, id);
  CREATE INDEX runs_unfinished ON runs (status) WHERE status IN ('queued', 'running');

  CREATE TABLE events (
    run INTEGER NOT NULL REFERENCES runs (row) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at_ms REAL NOT NULL,
    exchange INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    base_url TEXT NOT NULL,
    created_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE model_uses (
    connection_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    model TEXT NOT NULL,
    used_at REAL NOT NULL,
    PRIMARY KEY (connection_id, operation, model)
  ) STRICT, WITHOUT ROWID;
`;
