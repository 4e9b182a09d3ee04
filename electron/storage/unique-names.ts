/** Keeps the names of a table's rows unique when Undo restores deleted rows. */
import { MAX_NAME_LENGTH } from '../../shared/saved-items.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { Database } from './database-access.ts';
import type { Deletions } from './deletions.ts';

export interface SavedStorage {
  db: Database;
  changes: Pick<ChangeEmitter, 'announce'>;
  deletions: Pick<Deletions, 'softDelete' | 'onPurge' | 'onRestore'>;
}

export interface NamedTable {
  table: 'saved_items' | 'mcp_servers';
  /** Columns whose values scope the uniqueness of names; the default is the whole table. */
  within?: readonly string[];
  /** Appends a number, starting at 2, if the row's name is taken. */
  addNumber(name: string, number: number, row: Readonly<Record<string, unknown>>): string;
  onChange(id: string): void;
}

/** Lets Undo restore the table's rows under free names; returns their `remove`. */
export function keepNamesUnique(
  { db, deletions }: SavedStorage,
  { table, within = [], addNumber, onChange }: NamedTable,
): (id: string) => string | null {
  const scope = within.map((column) => `AND other.${column} = mine.${column}`).join(' ');

  /** Rows of the same deletion count as well, because they become visible together. */
  function isTaken(id: string, name: string): boolean {
    return (
      db
        .sql(`SELECT 1 FROM ${table} AS mine JOIN ${table} AS other ON other.name = ?2
          AND other.id <> mine.id
          AND (other.deleted_at IS NULL OR other.deleted_at = mine.deleted_at) ${scope}
          WHERE mine.id = ?1`)
        .get(id, name) !== undefined
    );
  }

  deletions.onRestore(table, (deletedAt) => {
    const rows = db.sql(`SELECT * FROM ${table} WHERE deleted_at = ?`).all(deletedAt);
    return rows.flatMap((row) => {
      const [id, from] = [String(row.id), String(row.name)];
      let to = from;
      for (let number = 2; isTaken(id, to); number += 1) to = addNumber(from, number, row);
      if (to === from) return [];
      db.sql(`UPDATE ${table} SET name = ? WHERE id = ?`).run(to, id);
      return [{ from, to }];
    });
  });

  /** Soft-deletes the row, and returns null if it doesn't exist. */
  return (id) => {
    const sql = `SELECT 1 FROM ${table} WHERE id = ? AND deleted_at IS NULL`;
    if (db.sql(sql).get(id) === undefined) return null;
    const deletionId = deletions.softDelete({
      hide: (deletedAt) =>
        void db.sql(`UPDATE ${table} SET deleted_at = ? WHERE id = ?`).run(deletedAt, id),
      onRestored: () => onChange(id),
    });
    onChange(id);
    return deletionId;
  };
}

export function addNumberToTitle(name: string, number: number): string {
  const ending = ` ${number}`;
  return `${name.slice(0, MAX_NAME_LENGTH - ending.length).trimEnd()}${ending}`;
}
