/** Counts a ledger's contents for the page to show before data is replaced. */
import type { StatementSync } from 'node:sqlite';
import type { DataContents } from '../../shared/contract/backups.ts';

export function countContents(sql: (text: string) => StatementSync): DataContents {
  const count = (from: string) => Number(sql(`SELECT count(*) AS count FROM ${from}`).get()?.count);
  return {
    runs: count('shown_runs'),
    conversations: count('shown_conversations'),
    mediaFiles: count('media WHERE hash IS NOT NULL AND deleted_at IS NULL'),
  };
}
