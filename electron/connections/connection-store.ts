/** Stores connections without their secrets, which the key vault keeps. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type KeyProtection, keyProtectionSchema } from '../../shared/connection.ts';
import {
  type ConnectionOptions,
  connectionOptionsSchema,
} from '../../shared/connection-options.ts';
import type { Database } from '../storage/database-access.ts';
import { createJsonColumn, readRows } from '../storage/rows.ts';

export interface StoredConnection {
  id: string;
  name: string;
  baseUrl: string;
  createdAt: number;
  options: ConnectionOptions;
  /** The text of the PEM file that `options.caCertificates` describes. */
  caText: string | null;
  /** How the key was last stored; null if there is none. Session keys don't survive a restart. */
  keyKept: KeyProtection | null;
  /** How the secrets in the options were last stored; null if there are none. */
  secretsKept: KeyProtection | null;
}

export type StoredConnectionFields = Omit<StoredConnection, 'id' | 'createdAt'>;

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  createdAt: z.number(),
  options: createJsonColumn(connectionOptionsSchema),
  caText: z.string().nullable(),
  keyKept: keyProtectionSchema.nullable(),
  secretsKept: keyProtectionSchema.nullable(),
});

const COLUMNS = `id, name, base_url AS baseUrl, created_at AS createdAt, options,
  ca_text AS caText, key_kept AS keyKept, secrets_kept AS secretsKept`;

/** Methods that write throw a `UserFacingError` if the disk fails. */
export interface ConnectionStore {
  /** Returns null if the connection doesn't exist. */
  get(id: string): StoredConnection | null;
  /** Returns the connections in the order of their creation. */
  list(): StoredConnection[];
  /** Adds all connections in order, or none. */
  add(all: readonly StoredConnectionFields[]): StoredConnection[];
  /** Does nothing if the connection was removed in the meantime. */
  update(id: string, fields: Partial<StoredConnectionFields>): void;
  remove(id: string): void;
}

export function createConnectionStore(db: Database, now: () => number): ConnectionStore {
  const read = (rows: unknown[]): StoredConnection[] =>
    readRows(db, rowSchema, rows, 'connections');

  function get(id: string): StoredConnection | null {
    return read(db.sql(`SELECT ${COLUMNS} FROM connections WHERE id = ?`).all(id))[0] ?? null;
  }

  function write(row: StoredConnection): void {
    const { id, name, baseUrl, createdAt, options, caText, keyKept, secretsKept } = row;
    db.sql(`INSERT OR REPLACE INTO connections
      (id, name, base_url, created_at, options, ca_text, key_kept, secrets_kept)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run(
      ...[id, name, baseUrl, createdAt, JSON.stringify(options)],
      ...[caText, keyKept, secretsKept],
    );
  }

  return {
    get,
    list: () => read(db.sql(`SELECT ${COLUMNS} FROM connections ORDER BY created_at, id`).all()),
    add(all: readonly StoredConnectionFields[]): StoredConnection[] {
      const rows = all.map((fields) => ({ id: randomUUID(), createdAt: now(), ...fields }));
      db.write(() => rows.forEach(write));
      return rows;
    },
    update(id: string, fields: Partial<StoredConnectionFields>): void {
      db.write(() => {
        const row = get(id);
        if (row !== null) write({ ...row, ...fields });
      });
    },
    remove(id: string): void {
      db.write(() => db.sql('DELETE FROM connections WHERE id = ?').run(id));
    },
  };
}
