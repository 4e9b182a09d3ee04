/** The connections the user made, as rows. Keys are not here: key-vault.ts has them. */
import { randomUUID } from 'node:crypto';
import type { Connection, ConnectionInput } from '../../shared/connection.ts';
import type { Database } from '../storage/database-access.ts';

export type ConnectionRow = Pick<Connection, 'id' | 'name' | 'baseUrl' | 'createdAt'>;

export interface ConnectionStore {
  /** Oldest first. */
  list(): ConnectionRow[];
  get(id: string): ConnectionRow | null;
  create(input: ConnectionInput): ConnectionRow;
  update(id: string, input: ConnectionInput): void;
  remove(id: string): void;
}

const columns = 'id, name, base_url, created_at';

export function createConnectionStore(db: Database, now: () => number): ConnectionStore {
  return {
    list: () =>
      db.sql(`SELECT ${columns} FROM connections ORDER BY created_at, id`).all().map(readRow),
    get(id) {
      const row = db.sql(`SELECT ${columns} FROM connections WHERE id = ?`).get(id);
      return row ? readRow(row) : null;
    },
    create({ name, baseUrl }) {
      const row = { id: randomUUID(), name, baseUrl, createdAt: now() };
      db.write(() =>
        db
          .sql(`INSERT INTO connections (${columns}) VALUES (?, ?, ?, ?)`)
          .run(row.id, name, baseUrl, row.createdAt),
      );
      return row;
    },
    update(id, { name, baseUrl }) {
      db.write(() =>
        db.sql('UPDATE connections SET name = ?, base_url = ? WHERE id = ?').run(name, baseUrl, id),
      );
    },
    remove(id) {
      db.write(() => db.sql('DELETE FROM connections WHERE id = ?').run(id));
    },
  };
}

function readRow(row: Record<string, unknown>): ConnectionRow {
  return {
    id: String(row.id),
    name: String(row.name),
    baseUrl: String(row.base_url),
    createdAt: Number(row.created_at),
  };
}
