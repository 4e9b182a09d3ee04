/**
 * Resets the settings of a checked backup that only this computer's user may choose, such as
 * approvals. Call this in a thread, because it blocks.
 */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type AddedValue,
  type ConnectionOptions,
  connectionOptionsSchema,
  listVariables,
} from '../../shared/connection-options.ts';
import { type Database, tryWriting } from '../storage/database-access.ts';
import { LEDGER_NAME } from '../storage/file-names.ts';
import { closeLedgerFile, openLedgerFile } from '../storage/ledger-file.ts';
import { createJsonColumn } from '../storage/rows.ts';
import { createBackupError } from './backup-names.ts';

const connectionSchema = z.object({
  id: z.string(),
  base_url: z.url({ protocol: /^https?$/ }),
  options: createJsonColumn(connectionOptionsSchema),
});

/**
 * Set until the runs of a restored backup have been recovered, which may take several starts, so
 * that none of its tasks is polled by itself.
 */
const RESTORED_RUNS = 'hasRestoredRuns';

export function hasRestoredRuns(db: Pick<Database, 'sql'>): boolean {
  return db.sql('SELECT 1 FROM settings WHERE name = ?').get(RESTORED_RUNS) !== undefined;
}

/** Does nothing if the disk fails; the next start then tries again. */
export function forgetRestoredRuns(db: Database): void {
  tryWriting(db, () => void db.sql('DELETE FROM settings WHERE name = ?').run(RESTORED_RUNS));
}

/** Throws a `UserFacingError` if a connection isn't valid. */
export function cleanLedger(folder: string): void {
  const db = openLedgerFile(join(folder, LEDGER_NAME));
  try {
    db.exec(`DELETE FROM settings WHERE name = 'updateFeedUrl';
      DELETE FROM mcp_approvals;
      UPDATE mcp_servers SET enabled = 0 WHERE ${RUNS_COMMAND}`);
    db.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, 'true')").run(
      RESTORED_RUNS,
    );
    const update = db.prepare('UPDATE connections SET options = ? WHERE id = ?');
    for (const row of db.prepare('SELECT id, base_url, options FROM connections').all()) {
      const { data } = connectionSchema.safeParse(row);
      if (data === undefined) throw createBackupError('A connection in the backup isn’t valid.');
      update.run(JSON.stringify(withoutTrust(data.options)), data.id);
    }
  } finally {
    closeLedgerFile(db);
  }
}

/** Also matches a transport that can't be read. */
const RUNS_COMMAND =
  "CASE WHEN json_valid(transport) THEN transport ->> '$.type' END IS NOT 'http'";

/** Counts the MCP servers that `cleanLedger` turned off. */
export function countCommands(db: DatabaseSync): number {
  const sql = `SELECT count(*) AS count FROM mcp_servers
    WHERE deleted_at IS NULL AND ${RUNS_COMMAND}`;
  return Number(db.prepare(sql).get()?.count);
}

/** Clears values that read variables; the user must enter them again, as after an import. */
function withoutTrust(options: ConnectionOptions): ConnectionOptions {
  const { headers, query } = options;
  const clean = (values: readonly AddedValue[]) =>
    values.map((entry) => {
      const reads = entry.variables.length > 0 || listVariables(entry.value ?? '').length > 0;
      return reads ? { ...entry, isSecret: true, value: null, variables: [] } : entry;
    });
  return { ...options, headers: clean(headers), query: clean(query), acceptedFingerprint: null };
}
