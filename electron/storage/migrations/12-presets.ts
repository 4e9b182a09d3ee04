/** Schema 12: settings of panels that the user keeps under a name. */
export const presetsMigration = `
  CREATE TABLE presets (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    UNIQUE (operation, name)
  ) STRICT;
`;
