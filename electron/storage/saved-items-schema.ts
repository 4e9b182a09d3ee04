/** Defines the tables of saved items and forms, which are part of the ledger database. */
export const SAVED_ITEMS_SCHEMA = `
  CREATE TABLE tools (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    -- JSON: who answers calls of the tool.
    answer TEXT NOT NULL,
    created_at REAL NOT NULL,
    deleted_at REAL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX tools_by_name ON tools (name) WHERE deleted_at IS NULL;

  CREATE TABLE tool_sets (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- JSON: IDs and names of tools.
    tools TEXT NOT NULL,
    -- JSON: IDs of servers and names of tools.
    mcp_tools TEXT NOT NULL,
    deleted_at REAL
  ) STRICT;
  CREATE UNIQUE INDEX tool_sets_by_name ON tool_sets (name) WHERE deleted_at IS NULL;

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

  CREATE TABLE presets (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    deleted_at REAL
  ) STRICT;
  CREATE UNIQUE INDEX presets_by_name ON presets (operation, name) WHERE deleted_at IS NULL;

  CREATE TABLE prompts (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    deleted_at REAL
  ) STRICT;
  CREATE UNIQUE INDEX prompts_by_name ON prompts (name) WHERE deleted_at IS NULL;

  CREATE TABLE saved_requests (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    request TEXT NOT NULL,
    deleted_at REAL
  ) STRICT;
  CREATE UNIQUE INDEX saved_requests_by_name ON saved_requests (name) WHERE deleted_at IS NULL;
  INSERT INTO saved_requests (id, name, request) VALUES
    ('models', 'List the models',
      '{"method":"GET","path":"/v1/models","headers":"","bodyKind":"json","body":"","fields":[],"file":null}'),
    ('fine-tunes', 'Create a fine-tune',
      '{"method":"POST","path":"/v1/fine-tunes","headers":"","bodyKind":"json","body":"{}","fields":[],"file":null}');
`;
