/** Gives searches access to the ledger, with shared helpers. */
import type { StatementSync } from 'node:sqlite';

export interface SearchFile {
  sql(text: string): StatementSync;
}

export class StaleIndexError extends Error {}

/** Called by a search every few milliseconds; an exception ends the search. */
export type Checkpoint = () => void;

/** The trigram tokenizer can't find shorter words. */
const MIN_INDEXED = 3;

/** Up to this many matches, the index is faster than a scan of the newest texts. */
const FEW = 2000;

export function getPhrase(search: string): string | null {
  const words = withoutNul(search);
  return Array.from(words).length >= MIN_INDEXED ? `"${words.replaceAll('"', '""')}"` : null;
}

/** Returns the rows of all matching texts as a JSON array, or null if there are too many. */
export function readRowsIfFew(
  { sql }: SearchFile,
  index: 'run_search' | 'message_search',
  phrase: string,
): string | null {
  const rows = sql(`SELECT rowid AS row FROM ${index} WHERE ${index} MATCH ? LIMIT ?`)
    .all(phrase, FEW + 1)
    .map(({ row }) => row);
  return rows.length > FEW ? null : JSON.stringify(rows);
}

/** `LIKE` ignores only ASCII case, while the index ignores the case of all Unicode letters. */
export function likeMatchesIndex(search: string): boolean {
  return !/\P{ASCII}/u.test(search);
}

/** Returns a pattern for `LIKE … ESCAPE '\'` that matches the text anywhere. */
export function likeText(text: string): string {
  return `%${withoutNul(text).replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** A NUL would end the pattern, or the phrase before its closing quote. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
