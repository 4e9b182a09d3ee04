/** Schema 22: events are found by one integer, as frames are, without reading the bodies on the way. */
export const eventKeysMigration = `
  -- run * 2^26 + seq, of \`event-key.ts\`. A run's row is deleted after its events.
  CREATE TABLE keyed_events (
    key INTEGER PRIMARY KEY,
    run INTEGER NOT NULL GENERATED ALWAYS AS (key / 67108864) VIRTUAL,
    seq INTEGER NOT NULL GENERATED ALWAYS AS (key % 67108864) VIRTUAL,
    at_ms REAL NOT NULL,
    exchange INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  INSERT INTO keyed_events (key, at_ms, exchange, kind, body)
    SELECT run * 67108864 + seq, at_ms, exchange, kind, body FROM events ORDER BY run, seq;
  DROP TABLE events;
  ALTER TABLE keyed_events RENAME TO events;
  CREATE INDEX events_by_kind ON events (run, kind, exchange)
    WHERE kind NOT IN ('chunk', 'progress');
`;
