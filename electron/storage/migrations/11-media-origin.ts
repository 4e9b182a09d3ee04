/** Schema 11: which run brought a medium, for the library. */
export const mediaOriginMigration = `
  -- Null for what came from the user. The run may have been deleted since.
  ALTER TABLE media ADD COLUMN run_id TEXT;

  -- A row that holds no JSON must not keep a ledger from opening.
  CREATE TEMP TABLE brought AS
    SELECT json_extract(medium.value, '$.id') AS id, run.id AS run_id
    FROM main.runs run, json_each(iif(json_valid(run.media), run.media, '[]')) medium
    WHERE run.media <> '[]';
  CREATE INDEX temp.brought_by_id ON brought (id);
  UPDATE media SET run_id = (SELECT run_id FROM brought WHERE brought.id = media.id LIMIT 1)
    WHERE role = 'output';
  DROP TABLE temp.brought;
`;
