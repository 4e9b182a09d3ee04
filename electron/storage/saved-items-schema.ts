/** Defines the tables of saved items and forms, which are part of the ledger database. */
export const SAVED_ITEMS_SCHEMA = `
  CREATE TABLE saved_items (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    -- Names are unique within a kind and scope: the operation of a preset, empty for other kinds.
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    -- JSON: the item's other fields.
    body TEXT NOT NULL,
    deleted_at REAL
  ) STRICT;
  CREATE UNIQUE INDEX saved_items_by_name ON saved_items (kind, scope, name)
    WHERE deleted_at IS NULL;
  INSERT INTO saved_items (id, kind, scope, name, body) VALUES
    ('models', 'requests', '', 'List models',
      '{"request":{"method":"GET","path":"/v1/models","headers":"","bodyKind":"json","body":"","fields":[],"file":null}}'),
    ('fine-tunes', 'requests', '', 'Create a fine-tune',
      '{"request":{"method":"POST","path":"/v1/fine-tunes","headers":"","bodyKind":"json","body":"{}","fields":[],"file":null}}');

  -- MCP servers; the key vault keeps the values of environment variables and headers.
  CREATE TABLE mcp_servers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- JSON: the command or URL, and the names of the secret values.
    transport TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    -- JSON: the tools, prompts and resources that the server listed last.
    offers TEXT NOT NULL,
    created_at REAL NOT NULL,
    deleted_at REAL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX mcp_servers_by_name ON mcp_servers (name) WHERE deleted_at IS NULL;

  CREATE TABLE mcp_approvals (
    server_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    approval TEXT NOT NULL,
    -- The hash of the definition that was approved; a changed tool asks again.
    definition_hash TEXT NOT NULL,
    PRIMARY KEY (server_id, tool)
  ) STRICT, WITHOUT ROWID;

  -- Forms, a row per field. A revision is the time of the last change in milliseconds and only grows.

  CREATE TABLE forms (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    revision REAL NOT NULL
  ) STRICT;

  CREATE TABLE form_fields (
    form INTEGER NOT NULL REFERENCES forms (row) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    revision REAL NOT NULL,
    UNIQUE (form, name)
  ) STRICT;
`;
