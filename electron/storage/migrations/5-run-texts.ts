/** Schema 5: what runs are found by, in pieces, and runs that are being deleted. Their index is made by full-text.ts. */
export const runTextsMigration = `
  -- removed: no longer shown; its rows are deleted a few at a time.
  ALTER TABLE runs ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
  -- indexed: run_texts holds the whole run, not only how it began.
  ALTER TABLE runs ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX runs_removed ON runs (row) WHERE removed = 1;
  CREATE INDEX runs_not_indexed ON runs (row) WHERE indexed = 0;

  CREATE TABLE run_texts (
    row INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (row) ON DELETE CASCADE,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_texts_by_run ON run_texts (run);
  INSERT INTO run_texts (run, text)
    SELECT row, model || char(10) || preview FROM runs;
`;
