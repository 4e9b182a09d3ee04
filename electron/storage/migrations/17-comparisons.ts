/** Schema 17: comparisons with their cells, and the cell that a run was sent for. */
export const comparisonsMigration = `
  CREATE TABLE comparisons (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at REAL NOT NULL,
    -- JSON: operation, title, variants, rows, repeats.
    plan TEXT NOT NULL,
    deletion TEXT
  ) STRICT;

  -- A cell waits while it was sent less often than wanted.
  CREATE TABLE comparison_cells (
    comparison INTEGER NOT NULL REFERENCES comparisons (row) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    row_id TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    wanted INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    PRIMARY KEY (comparison, place)
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE runs ADD COLUMN comparison_id TEXT;
  ALTER TABLE runs ADD COLUMN cell INTEGER;
  CREATE INDEX runs_by_comparison ON runs (comparison_id) WHERE comparison_id IS NOT NULL;

  -- A view keeps the columns that its table had.
  DROP VIEW shown_runs;
  CREATE VIEW shown_runs AS SELECT * FROM runs WHERE removed = 0 AND deletion IS NULL;
`;
