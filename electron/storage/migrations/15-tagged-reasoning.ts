/** Schema 15: whether the reasoning of an answer was part of its text, in tags. */
export const taggedReasoningMigration = `
  ALTER TABLE messages ADD COLUMN reasoning_tagged INTEGER NOT NULL DEFAULT 0;
`;
