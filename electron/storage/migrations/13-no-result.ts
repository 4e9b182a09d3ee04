/** Schema 13: figures say of every run whether its reply holds a result. */
export const noResultMigration = `
  -- Runs of an earlier Gatehouse are read once more in the background, as those are that the search has not indexed.
  UPDATE runs SET indexed = 0 WHERE status = 'succeeded' AND json_valid(figures)
    AND json_type(figures, '$.noResult') IS NULL;
`;
