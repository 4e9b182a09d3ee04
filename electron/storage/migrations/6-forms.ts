/** Schema 6: forms, a row per field, and the console's saved requests with the two that every user finds. */
export const formsMigration = `
  -- revision: milliseconds of the last change, always growing; of the form, and of each field.
  CREATE TABLE forms (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    revision REAL NOT NULL
  ) STRICT;
  CREATE TABLE form_fields (
    form INTEGER NOT NULL REFERENCES forms (row) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    revision REAL NOT NULL,
    UNIQUE (form, name)
  ) STRICT;

  CREATE TABLE saved_requests (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    request TEXT NOT NULL
  ) STRICT;
  INSERT INTO saved_requests (id, name, request) VALUES
    ('models', 'List the models',
      '{"method":"GET","path":"/v1/models","headers":"","bodyKind":"json","body":"","fields":[],"file":null}'),
    ('fine-tunes', 'Create a fine-tune',
      '{"method":"POST","path":"/v1/fine-tunes","headers":"","bodyKind":"json","body":"{}","fields":[],"file":null}');
`;
