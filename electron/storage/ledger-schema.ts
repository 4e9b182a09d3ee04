/** Defines the schema of the ledger database, `ledger.sqlite`. */
import { MAX_SEARCHED_LENGTH } from '../../shared/conversation.ts';
import { HAS_MISMATCH, SORTED_INDEXES } from './run-sort-values.ts';
import { SAVED_ITEMS_SCHEMA } from './saved-items-schema.ts';

/** Text that starts with this many ASCII characters without a space is data, such as base64. */
const DATA_LENGTH = 1000;

/**
 * Returns SQL for a full-text index of the table's `text` column and the triggers that update it.
 * Leaves out data, whose index would be several times as large as the data itself. Without positions,
 * the index is a third as large, but finds only texts that may contain a phrase.
 */
function createTextIndex(index: string, table: string, detail: 'full' | 'none'): string {
  const indexed = (row: string) => `iif(
    length(${row}text) > ${DATA_LENGTH} AND substr(${row}text, 1, ${DATA_LENGTH}) NOT GLOB '*[^!-~]*',
    '', substr(${row}text, 1, ${MAX_SEARCHED_LENGTH}))`;
  return `
  CREATE VIEW ${index}_texts AS SELECT row, ${indexed('')} AS text FROM ${table};
  CREATE VIRTUAL TABLE ${index}
    USING fts5(text, content = '${index}_texts', content_rowid = 'row', tokenize = 'trigram', detail = ${detail});
  CREATE TRIGGER ${index}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO ${index} (rowid, text) VALUES (new.row, ${indexed('new.')});
  END;
  CREATE TRIGGER ${index}_changed AFTER UPDATE OF text ON ${table} BEGIN
    INSERT INTO ${index} (${index}, rowid, text) VALUES ('delete', old.row, ${indexed('old.')});
    INSERT INTO ${index} (rowid, text) VALUES (new.row, ${indexed('new.')});
  END;
  CREATE TRIGGER ${index}_removed AFTER DELETE ON ${table} BEGIN
    INSERT INTO ${index} (${index}, rowid, text) VALUES ('delete', old.row, ${indexed('old.')});
  END;`;
}

/** Version 41: a check's runs and comparisons are shown only in Check. */
export const ADD_CHECKS = `
  CREATE TABLE checks (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    -- JSON: what was asked, with verdicts or figures that outlive the runs.
    body TEXT NOT NULL,
    created_at REAL NOT NULL,
    -- 1 once every request has ended and is part of the verdicts or figures.
    settled INTEGER NOT NULL DEFAULT 0,
    deleted_at REAL
  ) STRICT;
  ALTER TABLE comparisons ADD COLUMN check_id TEXT;
  CREATE INDEX comparisons_by_check ON comparisons (check_id) WHERE check_id IS NOT NULL;
  ALTER TABLE runs ADD COLUMN check_id TEXT;
  CREATE INDEX runs_by_check ON runs (check_id) WHERE check_id IS NOT NULL;
  -- A list skips the runs of checks by reading only these indexes.
  DROP INDEX runs_by_time;
  CREATE INDEX runs_by_time ON runs (created_at, id, check_id);
  DROP INDEX runs_by_connection;
  CREATE INDEX runs_by_connection ON runs (connection_id, created_at, id, check_id);
`;

export const LEDGER_SCHEMA = `
  -- A row with deleted_at is hidden. Undo clears the time within a minute; after that, deletions.ts purges the row.

  -- One row: 1 while no process has the ledger open. A ledger that wasn't closed is checked at the next start.
  CREATE TABLE file_state (closed INTEGER NOT NULL) STRICT;
  INSERT INTO file_state (closed) VALUES (0);

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    base_url TEXT NOT NULL,
    created_at REAL NOT NULL,
    -- JSON: headers, query, timeouts, proxy and so on, without secrets.
    options TEXT NOT NULL,
    -- The text of a PEM file.
    ca_text TEXT,
    -- How the key and the options' secrets were last kept. Null if there are none.
    key_kept TEXT,
    secrets_kept TEXT
  ) STRICT, WITHOUT ROWID;

  -- The last list of models and voices that each connection's gateway sent.
  CREATE TABLE model_lists (
    connection_id TEXT PRIMARY KEY,
    read_at REAL NOT NULL,
    -- JSON.
    list TEXT NOT NULL
  ) STRICT;

  CREATE TABLE model_uses (
    connection_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    model TEXT NOT NULL,
    used_at REAL NOT NULL,
    -- Empty for the operation's default format.
    format TEXT NOT NULL,
    PRIMARY KEY (connection_id, operation, model)
  ) STRICT, WITHOUT ROWID;

  -- Runs and their events. Events of a live stream are in its journal until their exchange has ended.

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
    -- Input and output tokens. Null until the run ends, or if the gateway reports none.
    tokens INTEGER,
    conversation_id TEXT,
    preview TEXT NOT NULL,
    request TEXT NOT NULL,
    extra_body TEXT NOT NULL,
    wire_names TEXT NOT NULL DEFAULT '{}',
    -- The ID of the video task to follow; null for a run that submits its own.
    follow TEXT,
    -- The number of the last event.
    seq INTEGER NOT NULL,
    phase TEXT NOT NULL DEFAULT '{"name":"working","task":null}',
    -- JSON: the media items that the run produced.
    media TEXT NOT NULL DEFAULT '[]',
    -- The run whose result this one started from.
    source_run_id TEXT,
    comparison_id TEXT,
    cell INTEGER,
    -- Estimated cost in dollars; least_cost is the minimum estimated before sending. Null without a price.
    cost REAL,
    least_cost REAL,
    -- JSON: tokens, images or seconds consumed. Null until the run ends.
    quantities TEXT,
    -- JSON: what was asked against what came.
    findings TEXT NOT NULL DEFAULT '[]',
    -- 1 if run_texts holds the whole run, not only its beginning.
    indexed INTEGER NOT NULL DEFAULT 0,
    -- 0 once the deletion is final. The run's rows are then deleted a few at a time.
    deleted_at REAL
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (created_at, id);
  CREATE INDEX runs_by_connection ON runs (connection_id, created_at, id);
  CREATE INDEX runs_by_model ON runs (connection_id, model);
  CREATE INDEX runs_by_comparison ON runs (comparison_id, created_at, id)
    WHERE comparison_id IS NOT NULL;
  CREATE INDEX runs_by_source ON runs (source_run_id) WHERE source_run_id IS NOT NULL;
  CREATE INDEX runs_by_cost ON runs (operation, model, connection_id, status, cost, deleted_at)
    WHERE cost IS NOT NULL AND deleted_at IS NULL;
  -- Includes deleted runs, because their cost still counts on its day.
  CREATE INDEX runs_by_day ON runs (connection_id, created_at, cost, least_cost)
    WHERE coalesce(cost, least_cost) IS NOT NULL;
  CREATE INDEX runs_deleted ON runs (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE INDEX runs_not_indexed ON runs (row) WHERE indexed = 0;
  CREATE INDEX runs_unfinished ON runs (status) WHERE status IN ('queued', 'running');
  CREATE INDEX runs_without_success ON runs (status, created_at, id)
    WHERE status NOT IN ('queued', 'running', 'succeeded');
  CREATE INDEX runs_without_result ON runs (created_at, id)
    WHERE CASE WHEN json_valid(figures) THEN figures ->> '$.noResult' END IS NOT NULL;
  CREATE INDEX runs_with_mismatch ON runs (created_at, id) WHERE ${HAS_MISMATCH};
  -- The orders of a list that isn't sorted by time.
  ${SORTED_INDEXES}
  CREATE VIEW shown_runs AS SELECT * FROM runs WHERE deleted_at IS NULL;

  -- The key is run * 2^26 + seq (eventKey in event-rows.ts). A run's row is deleted after its events.
  CREATE TABLE events (
    key INTEGER PRIMARY KEY,
    run INTEGER NOT NULL GENERATED ALWAYS AS (key / 67108864) VIRTUAL,
    seq INTEGER NOT NULL GENERATED ALWAYS AS (key % 67108864) VIRTUAL,
    at_ms REAL NOT NULL,
    exchange INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  -- Progress comes by the thousand and is read in order.
  CREATE INDEX events_by_exchange ON events (run, kind, exchange)
    WHERE kind NOT IN ('chunk', 'progress');
  -- Chunks of one exchange, compressed. The key is that of the first chunk.
  CREATE TABLE chunk_blocks (
    key INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    exchange INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;

  -- The text of a long body, compressed as UTF-8. The key is that of its event.
  CREATE TABLE long_bodies (
    key INTEGER PRIMARY KEY,
    text BLOB NOT NULL
  ) STRICT;

  -- The texts that a search finds a run by.
  CREATE TABLE run_texts (
    row INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (row) ON DELETE CASCADE,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_texts_by_run ON run_texts (run);
  ${createTextIndex('run_search', 'run_texts', 'full')}

  -- Prices, and what runs are estimated to cost.

  CREATE TABLE prices (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    connection_id TEXT NOT NULL,
    model TEXT NOT NULL,
    -- JSON.
    rates TEXT NOT NULL,
    deleted_at REAL
  ) STRICT;
  CREATE UNIQUE INDEX prices_by_model ON prices (connection_id, model) WHERE deleted_at IS NULL;

  -- Models whose runs are being repriced, and the run that was repriced last.
  CREATE TABLE repricings (
    connection_id TEXT NOT NULL,
    model TEXT NOT NULL,
    after INTEGER NOT NULL,
    -- 1 if runs that have a cost keep it.
    only_unpriced INTEGER NOT NULL,
    PRIMARY KEY (connection_id, model)
  ) STRICT, WITHOUT ROWID;

  -- The cost of a deleted run still counts on its day.
  CREATE TABLE deleted_costs (
    row INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    created_at REAL NOT NULL,
    dollars REAL NOT NULL
  ) STRICT;

  -- Conversations are trees of messages.

  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    -- 1 if the user set the title.
    titled INTEGER NOT NULL,
    system_message TEXT NOT NULL,
    active_leaf_id TEXT,
    -- JSON: tools, response format and other options.
    options TEXT,
    pinned INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    -- A folder exists while a conversation has its name.
    folder TEXT,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    deleted_at REAL
  ) STRICT;
  CREATE INDEX conversations_by_time ON conversations (updated_at, id);
  CREATE INDEX conversations_by_place ON conversations
    (archived, pinned, (folder IS NOT NULL), updated_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE VIEW shown_conversations AS SELECT * FROM conversations WHERE deleted_at IS NULL;

  CREATE TABLE messages (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    -- Doesn't cascade: SQLite ends a cascade at 1,000 levels, and a conversation can be longer.
    parent_id TEXT REFERENCES messages (id),
    role TEXT NOT NULL,
    -- The readable text; parts holds the content array if the content isn't plain text.
    text TEXT NOT NULL,
    parts TEXT,
    name TEXT,
    -- The number of characters at the start of the text that are commentary.
    commentary_length INTEGER NOT NULL DEFAULT 0,
    reasoning TEXT,
    -- 1 if the reasoning was part of the text, in tags.
    reasoning_tagged INTEGER NOT NULL DEFAULT 0,
    -- 1 if the reasoning, or a part of it, can be read only by the provider.
    reasoning_encrypted INTEGER NOT NULL DEFAULT 0,
    tool_calls TEXT,
    tool_call_id TEXT,
    -- JSON: how Gatehouse got a tool's result. Null if the user wrote it.
    call_record TEXT,
    audio TEXT,
    -- JSON: the format and the message of an answer as the gateway sent it.
    wire TEXT,
    -- JSON: the sources that an answer cites.
    sources TEXT,
    run_id TEXT,
    -- JSON: the summary of an imported answer's run, which isn't in this ledger.
    imported_run TEXT,
    -- JSON: the runs and the text of the answer that this one continues.
    continued TEXT,
    choice_index INTEGER,
    created_at REAL NOT NULL,
    deleted_at REAL
  ) STRICT;
  -- Includes deleted_at, so that counting a conversation's messages doesn't read them.
  CREATE INDEX messages_by_conversation ON messages (conversation_id, row, deleted_at);
  CREATE INDEX messages_with_run ON messages (conversation_id, row) WHERE run_id IS NOT NULL;
  CREATE INDEX messages_by_parent ON messages (parent_id);
  CREATE INDEX messages_by_run ON messages (run_id) WHERE run_id IS NOT NULL;
  CREATE INDEX messages_deleted ON messages (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE VIEW shown_messages AS SELECT * FROM messages WHERE deleted_at IS NULL;
  ${createTextIndex('message_search', 'messages', 'none')}

  -- Answers deleted while their run was active; they must not come back when it ends.
  CREATE TABLE removed_answers (
    run_id TEXT NOT NULL,
    choice_index INTEGER NOT NULL,
    PRIMARY KEY (run_id, choice_index)
  ) STRICT, WITHOUT ROWID;

  -- Comparisons: a plan, and a cell for each variant, row and repeat.

  CREATE TABLE comparisons (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at REAL NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    -- JSON: operation, variants, rows, repeats.
    plan TEXT NOT NULL,
    -- JSON: Blind, picks and labels. Null before the first note.
    notes TEXT,
    -- The conversation whose columns it compares.
    conversation_id TEXT,
    deleted_at REAL
  ) STRICT;
  CREATE INDEX comparisons_by_conversation ON comparisons (conversation_id)
    WHERE conversation_id IS NOT NULL;
  CREATE INDEX comparisons_by_blind ON comparisons (id)
    WHERE CASE WHEN json_valid(notes) THEN notes ->> '$.blind.isHidden' END = 1;
  CREATE INDEX comparisons_deleted ON comparisons (deleted_at) WHERE deleted_at IS NOT NULL;

  CREATE TABLE comparison_cells (
    comparison INTEGER NOT NULL REFERENCES comparisons (row) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    row_id TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    -- A cell waits while it was sent fewer times than wanted.
    wanted INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    -- The message that the cell answers, in Chat.
    message_id TEXT,
    -- JSON: why the cell couldn't start.
    problem TEXT,
    PRIMARY KEY (comparison, place)
  ) STRICT, WITHOUT ROWID;

  -- Media items. A row without a hash is a file that is still being written, or whose writer was killed.
  -- Several rows can share a hash: the file is stored once, but each ID is a separate permission.

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
    -- 1 if the file has less data than its header declares.
    is_cut INTEGER,
    created_at REAL NOT NULL,
    -- The run that produced it, which may have been deleted. Null for the user's files.
    run_id TEXT,
    deleted_at REAL
  ) STRICT;
  CREATE INDEX media_by_time ON media (created_at, id) WHERE hash IS NOT NULL;
  CREATE INDEX media_by_hash ON media (hash);
  CREATE INDEX media_by_name ON media (name);
  CREATE INDEX media_deleted ON media (deleted_at) WHERE deleted_at IS NOT NULL;

  ${SAVED_ITEMS_SCHEMA}
`;
