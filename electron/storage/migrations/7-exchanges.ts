/** Schema 7: an index by which the exchanges of a run are found, however many events it has. */
export const exchangesMigration = `
  -- Without the events that come by the thousand: those are read in order anyway.
  CREATE INDEX events_by_kind ON events (run, kind, exchange)
    WHERE kind NOT IN ('chunk', 'progress');
`;
