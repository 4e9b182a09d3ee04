/** Finds runs by the words of request and reply. */
import type { Database } from './database-access.ts';

/** The tokenizer cuts text into runs of three characters: shorter words are not in the index. */
const SHORTEST_INDEXED = 3;

/** A condition on a row of `runs`: its texts contain the words. Beyond ASCII only the index knows both cases. */
export function containing(db: Database, search: string): [sql: string, value: string] {
  if (db.fullText && Array.from(search).length >= SHORTEST_INDEXED) {
    return [
      `row IN (SELECT run FROM run_texts WHERE row IN
        (SELECT rowid FROM run_search WHERE run_search MATCH ?))`,
      `"${search.replaceAll('"', '""')}"`,
    ];
  }
  return ["row IN (SELECT run FROM run_texts WHERE text LIKE ? ESCAPE '\\')", likeText(search)];
}

/** A pattern for `LIKE … ESCAPE '\'` that finds the text anywhere. */
export function likeText(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
