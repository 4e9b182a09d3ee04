/** Schema 18: prices of models, and what runs are estimated to cost by them. */
export const pricesMigration = `
  CREATE TABLE prices (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    connection_id TEXT NOT NULL,
    model TEXT NOT NULL,
    -- JSON.
    rates TEXT NOT NULL,
    UNIQUE (connection_id, model)
  ) STRICT;

  -- The costs of a model's runs are computed again, from the one behind this row on.
  CREATE TABLE repricings (
    connection_id TEXT NOT NULL,
    model TEXT NOT NULL,
    after INTEGER NOT NULL,
    PRIMARY KEY (connection_id, model)
  ) STRICT, WITHOUT ROWID;

  -- Of runs that were deleted: what they cost still counts on its day.
  CREATE TABLE deleted_costs (
    row INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    created_at REAL NOT NULL,
    dollars REAL NOT NULL
  ) STRICT;

  ALTER TABLE runs ADD COLUMN cost REAL;
  -- What it was estimated to cost at least before it was sent; null where no price applied.
  ALTER TABLE runs ADD COLUMN least_cost REAL;
  -- JSON; null before the end, and in runs of an earlier Gatehouse.
  ALTER TABLE runs ADD COLUMN quantities TEXT;
  CREATE INDEX runs_by_model ON runs (connection_id, model);
  CREATE INDEX runs_by_cost ON runs (operation, model, connection_id, status, cost, removed, deletion)
    WHERE cost IS NOT NULL AND removed = 0 AND deletion IS NULL;

  -- Deleted ones too: what they cost counts on its day.
  CREATE INDEX runs_by_day ON runs (connection_id, created_at, cost, least_cost)
    WHERE coalesce(cost, least_cost) IS NOT NULL;

  -- A view keeps the columns that its table had.
  DROP VIEW shown_runs;
  CREATE VIEW shown_runs AS SELECT * FROM runs WHERE removed = 0 AND deletion IS NULL;
`;
