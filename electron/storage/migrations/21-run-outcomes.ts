/** Schema 21: finds the few runs that brought nothing without a look at all that succeeded. */
export const runOutcomesMigration = `
  CREATE INDEX runs_without_success ON runs (status, created_at, id)
    WHERE status NOT IN ('queued', 'running', 'succeeded');
  CREATE INDEX runs_without_result ON runs (created_at, id)
    WHERE CASE WHEN json_valid(figures) THEN figures ->> '$.noResult' END IS NOT NULL;
`;
