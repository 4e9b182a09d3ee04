/** Whether a file is small enough to be checked at the start: the whole check reads every page. */
import type { DatabaseSync } from 'node:sqlite';

/** A larger one would hold main's thread for too long. */
const CHECKED_BYTES = 128 * 1024 * 1024;

export function isQuicklyChecked(db: DatabaseSync): boolean {
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  return pages * pageBytes <= CHECKED_BYTES;
}
