/** Schema 11: which run produced a medium, for the library. */
export const mediaOriginMigration = `
  -- Null for what came from the user. The run may have been deleted since.
  ALTER TABLE media ADD COLUMN run_id TEXT;

  -- A row that holds no JSON must not keep a ledger from opening.
  CREATE TEMP TABLE produced AS
    SELECT CASE WHEN medium.type = 'object' THEN json_extract(medium.value, '$.id') END AS id,
      run.id AS run_id
    FROM main.runs run, json_each(iif(json_valid(run.media), run.media, '[]')) medium
    WHERE run.media <> '[]';
  CREATE INDEX temp.produced_by_id ON produced (id);
  UPDATE media SET run_id = (SELECT run_id FROM produced WHERE produced.id = media.id LIMIT 1)
    WHERE role = 'output';
  DROP TABLE temp.produced;
`;
