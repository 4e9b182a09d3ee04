/** Schema 22: new events are found by one integer, as frames are, without reading the bodies on the way. */
export const eventKeysMigration = `
  -- Those from before stay as they are, with their index \`events_by_kind\`: to copy them would take as much space
  -- again and hold up a start, and a damaged page among them would end it.
  ALTER TABLE events RENAME TO early_events;
  -- run * 2^26 + seq, of \`event-key.ts\`. A run's row is deleted after its events.
  CREATE TABLE events (
    key INTEGER PRIMARY KEY,
    run INTEGER NOT NULL GENERATED ALWAYS AS (key / 67108864) VIRTUAL,
    seq INTEGER NOT NULL GENERATED ALWAYS AS (key % 67108864) VIRTUAL,
    at_ms REAL NOT NULL,
    exchange INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
`;
