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

/** More terms would hardly exclude more texts. */
const MAX_TRIGRAMS = 20;

/** Returns a query for an index with positions, or null if the search is too short. */
export function getPhrase(search: string): string | null {
  const words = withoutNul(search);
  return Array.from(words).length >= MIN_INDEXED ? quote(words) : null;
}

/** Returns a query for all of the search's trigrams, in any order; null if it is too short. */
export function getTrigrams(search: string): string | null {
  const characters = Array.from(withoutNul(search));
  const trigrams = characters.slice(MIN_INDEXED - 1).map((_, at) => {
    return characters.slice(at, at + MIN_INDEXED).join('');
  });
  const some = [...new Set(trigrams)].slice(0, MAX_TRIGRAMS);
  return some.length === 0 ? null : some.map(quote).join(' ');
}

function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/** Returns the rows of all matching texts as a JSON array, or null if there are too many. */
export function readRowsIfFew(
  { sql }: SearchFile,
  index: 'run_search' | 'message_search',
  match: string,
): string | null {
  const rows = sql(`SELECT rowid AS row FROM ${index} WHERE ${index} MATCH ? LIMIT ?`)
    .all(match, FEW + 1)
    .map(({ row }) => row);
  return rows.length > FEW ? null : JSON.stringify(rows);
}

/** `LIKE` ignores only ASCII case, while the index ignores the case of all Unicode letters. */
export function likeMatchesIndex(search: string): boolean {
  return !/\P{ASCII}/u.test(search);
}

/** Returns a pattern for `LIKE … ESCAPE '\'` that matches the text anywhere. */
export function escapeLike(text: string): string {
  return `%${withoutNul(text).replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** A NUL would end the pattern, or the phrase before its closing quote. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
