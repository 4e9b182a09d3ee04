/** Schema 8: wire names and the task to follow stand beside a run's request, no longer inside it. */
export const runInputMigration = `
  ALTER TABLE runs ADD COLUMN wire_names TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE runs ADD COLUMN follow TEXT;

  -- A damaged request stays as it is: one row must not keep a ledger from opening.
  UPDATE runs
    SET wire_names = json_extract(request, '$.wire_names'),
      request = json_remove(request, '$.wire_names')
    WHERE operation = 'video'
      AND CASE WHEN json_valid(request) THEN json_type(request, '$.wire_names') END = 'object';

  UPDATE runs
    SET follow = trim(json_extract(request, '$.task_id')),
      request = json_remove(request, '$.task_id')
    WHERE operation = 'video'
      AND CASE WHEN json_valid(request) THEN json_type(request, '$.task_id') END = 'text';

  UPDATE runs
    SET wire_names = json_object(
        'timestamp_granularities', json_extract(request, '$.granularities_field')),
      request = json_remove(request, '$.granularities_field')
    WHERE operation = 'transcription'
      AND CASE WHEN json_valid(request)
        THEN json_type(request, '$.granularities_field') END = 'text';
`;
