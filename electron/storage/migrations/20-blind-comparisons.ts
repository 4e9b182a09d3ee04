/** Schema 20: finds the comparisons whose names are hidden without reading the notes of all. */
export const blindComparisonsMigration = `
  CREATE INDEX comparisons_by_blind ON comparisons (id)
    WHERE CASE WHEN json_valid(notes) THEN notes ->> '$.blind.isHidden' END = 1;
`;
