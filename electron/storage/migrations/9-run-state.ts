/** Schema 9: how far a run got and which files it produced, for lists that do not read its events. */
export const runStateMigration = `
  ALTER TABLE runs ADD COLUMN phase TEXT NOT NULL DEFAULT '{"name":"working","task":null}';
  ALTER TABLE runs ADD COLUMN media TEXT NOT NULL DEFAULT '[]';

  -- A row that holds no JSON must not keep a ledger from opening.
  CREATE TEMP VIEW readable_events AS
    SELECT run, seq, kind, iif(json_valid(body), body, '{}') AS body FROM main.events
    WHERE kind IN ('media', 'task', 'following');

  -- Of a medium that was announced several times the last word counts, in the order of the first ones.
  UPDATE runs SET media = (
    SELECT json_group_array(json(medium)) FROM (
      SELECT json_extract(last.body, '$.media') AS medium FROM readable_events last
      WHERE last.run = runs.row AND last.kind = 'media'
        AND json_extract(last.body, '$.media.id') IS NOT NULL AND last.seq = (
          SELECT max(seq) FROM readable_events WHERE run = last.run AND kind = 'media'
            AND json_extract(body, '$.media.id') = json_extract(last.body, '$.media.id'))
      ORDER BY (
        SELECT min(seq) FROM readable_events WHERE run = last.run AND kind = 'media'
          AND json_extract(body, '$.media.id') = json_extract(last.body, '$.media.id'))
    )
  ) WHERE EXISTS (SELECT 1 FROM events WHERE run = runs.row AND kind = 'media');

  -- A task that is only known by its id has no reply yet, and so no status.
  UPDATE runs SET phase = coalesce((
    SELECT json_object(
      'name', CASE
        WHEN (SELECT json_extract(body, '$.on') FROM readable_events
          WHERE run = runs.row AND kind = 'following' ORDER BY seq DESC LIMIT 1) = 0 THEN 'unfollowed'
        WHEN json_extract(last.body, '$.status') = 'completed' THEN 'downloading'
        ELSE 'following' END,
      'task', json_object(
        'id', json_extract(first.body, '$.taskId'),
        'status', iif(json_extract(last.body, '$.reply') IS NULL, NULL,
          json_extract(last.body, '$.status')),
        'word', nullif(json_extract(last.body, '$.word'), ''),
        'progress', NULL))
    FROM readable_events first, readable_events last
    WHERE first.run = runs.row AND first.seq =
        (SELECT min(seq) FROM readable_events WHERE run = runs.row AND kind = 'task'
          AND json_extract(body, '$.taskId') IS NOT NULL)
      AND last.run = runs.row AND last.seq =
        (SELECT max(seq) FROM readable_events WHERE run = runs.row AND kind = 'task'
          AND json_extract(body, '$.taskId') IS NOT NULL)
  ), phase) WHERE operation = 'video';

  DROP VIEW temp.readable_events;
`;
