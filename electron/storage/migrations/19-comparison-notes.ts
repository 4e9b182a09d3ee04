/** Schema 19: what people note of a comparison, comparisons of chats, and the run with whose result another begins. */
export const comparisonNotesMigration = `
  ALTER TABLE comparisons ADD COLUMN title TEXT NOT NULL DEFAULT '';
  UPDATE comparisons SET title = coalesce(plan ->> '$.title', '') WHERE json_valid(plan);
  -- JSON; null before the first.
  ALTER TABLE comparisons ADD COLUMN notes TEXT;
  ALTER TABLE comparisons ADD COLUMN conversation_id TEXT;
  CREATE INDEX comparisons_by_conversation ON comparisons (conversation_id)
    WHERE conversation_id IS NOT NULL;
  CREATE INDEX comparisons_by_deletion ON comparisons (deletion) WHERE deletion IS NOT NULL;
  -- The message that the cell answers.
  ALTER TABLE comparison_cells ADD COLUMN message_id TEXT;
  -- JSON: why it could not be started.
  ALTER TABLE comparison_cells ADD COLUMN problem TEXT;

  ALTER TABLE runs ADD COLUMN source_run_id TEXT;
  CREATE INDEX runs_by_source ON runs (source_run_id) WHERE source_run_id IS NOT NULL;
  -- Also finds the newest run of a comparison.
  DROP INDEX runs_by_comparison;
  CREATE INDEX runs_by_comparison ON runs (comparison_id, created_at, id)
    WHERE comparison_id IS NOT NULL;

  -- A view keeps the columns that its table had.
  DROP VIEW shown_runs;
  CREATE VIEW shown_runs AS SELECT * FROM runs WHERE removed = 0 AND deletion IS NULL;
`;
