/** Whether a file is small enough to be checked at the start: the whole check reads every page. */
import type { DatabaseSync } from 'node:sqlite';

/** A larger one would hold main's thread for too long. */
const CHECKED_BYTES = 128 * 1024 * 1024;

/** Pages that are free are not read. */
const USED = `SELECT page_count - freelist_count AS pages, page_size AS pageBytes
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

export function passesQuickCheck(db: DatabaseSync): boolean {
  const { pages, pageBytes } = { ...db.prepare(USED).get() };
  return Number(pages) * Number(pageBytes) <= CHECKED_BYTES;
}
