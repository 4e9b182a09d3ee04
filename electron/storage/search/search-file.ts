/** The ledger as a search sees it, and what searches have in common. */
import type { StatementSync } from 'node:sqlite';

export interface SearchFile {
  sql(text: string): StatementSync;
  /** Whether `run_search` and `message_search` can be queried. */
  readonly fullText: boolean;
}

/** The search was abandoned. */
export class StaleIndexError extends Error {}

/** Called between the steps of a search, of a few milliseconds each; throws `Outdated` to end it. */
export type Checkpoint = () => void;

/** The tokenizer cuts text into runs of three characters: shorter words are not in the index. */
const MIN_INDEXED = 3;

/** Texts that hold a word; where there are more, the newest are found sooner by looking into them one by one. */
const FEW = 2000;

/** What the index matches; null for words that are not in it. */
export function getPhrase({ fullText }: SearchFile, search: string): string | null {
  const words = withoutNul(search);
  const isIndexed = fullText && Array.from(words).length >= MIN_INDEXED;
  return isIndexed ? `"${words.replaceAll('"', '""')}"` : null;
}

/** The rows of all texts that match, as a JSON list; null if there are many. */
export function rowsIfFew(
  { sql }: SearchFile,
  index: 'run_search' | 'message_search',
  phrase: string,
): string | null {
  const rows = sql(`SELECT rowid AS row FROM ${index} WHERE ${index} MATCH ? LIMIT ?`)
    .all(phrase, FEW + 1)
    .map(({ row }) => row);
  return rows.length > FEW ? null : JSON.stringify(rows);
}

/** Whether `LIKE` finds what the index finds: beyond ASCII only that knows both cases. */
export function likeMatchesIndex({ fullText }: SearchFile, search: string): boolean {
  return !fullText || !/\P{ASCII}/u.test(search);
}

/** A pattern for `LIKE … ESCAPE '\'` that finds the text anywhere. */
export function likeText(text: string): string {
  return `%${withoutNul(text).replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** Both would end there, the phrase without its quote. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
