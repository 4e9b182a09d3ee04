/** Schema 2: conversations as trees. Their full-text index is made by full-text.ts where SQLite has it. */
export const conversationsMigration = `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    titled INTEGER NOT NULL,
    system_message TEXT NOT NULL,
    active_leaf_id TEXT,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX conversations_by_time ON conversations (updated_at, id);

  -- parent_id does not cascade: SQLite ends a cascade at 1,000 levels, a long conversation has more.
  -- text holds the readable text; parts the content array where the content is not plain text.
  CREATE TABLE messages (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    parent_id TEXT REFERENCES messages (id),
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    parts TEXT,
    name TEXT,
    reasoning TEXT,
    tool_calls TEXT,
    tool_call_id TEXT,
    run_id TEXT,
    choice_index INTEGER,
    created_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_conversation ON messages (conversation_id, row);
  CREATE INDEX messages_by_parent ON messages (parent_id);
  CREATE INDEX messages_by_run ON messages (run_id) WHERE run_id IS NOT NULL;

  -- Answers deleted while their run went on: they must not come back when it ends.
  CREATE TABLE removed_answers (
    run_id TEXT NOT NULL,
    choice_index INTEGER NOT NULL,
    PRIMARY KEY (run_id, choice_index)
  ) STRICT, WITHOUT ROWID;
`;
