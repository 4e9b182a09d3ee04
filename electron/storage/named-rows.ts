/** Deletes rows that have a unique name; Undo restores them in their place, under a free name. */
import { z } from 'zod';
import type { Database } from './database-access.ts';
import type { DeletionKind, Deletions } from './deletions.ts';

const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
type Row = z.infer<typeof rowSchema>;

interface NamedRows {
  kind: DeletionKind;
  table: 'presets' | 'saved_requests' | 'tools';
  /** All of them, with `id`, `name`, and `row` where the table has it: it is the position of the row in the list. */
  columns: readonly string[];
  /** A name is unique among the rows that are equal in this column; in the whole table unless given. */
  within?: string;
  /** The name for a number from 2 up, where `name` itself is taken. */
  numbered: (name: string, number: number) => string;
  /** The row under another name; only its `name` changes unless given. */
  renamed?: (row: Row, name: string) => Row;
  /** After a row is deleted or restored. */
  onChange: (id: string) => void;
  /** The row is deleted for good. */
  onFinished?: (id: string) => void;
}

/**
 * Returns what deletes the row of an ID: it returns the ID with which the deletion can be undone for a while, and
 * null if there is no such row. Both throw a `UserFacingError` for trouble with the disk.
 */
export function createNamedRowDeletion(
  db: Database,
  deletions: Pick<Deletions, 'kind'>,
  rows: NamedRows,
): (id: string) => string | null {
  const { table, columns, within, renamed = (row, name) => ({ ...row, name }) } = rows;
  const isNameTaken = db.sql(
    `SELECT 1 FROM ${table} WHERE name = ? ${within === undefined ? '' : `AND ${within} = ?`}`,
  );

  function freeName(row: Row): string {
    const name = String(row.name);
    const scope = within === undefined ? [] : [row[within] ?? null];
    let free = name;
    for (let number = 2; isNameTaken.get(free, ...scope) !== undefined; number += 1) {
      free = rows.numbered(name, number);
    }
    return free;
  }

  /** The position may be in use by now: the row then goes last. */
  function getPlace(row: Row): Row {
    if (row.row === undefined) return row;
    const isTaken = db.sql(`SELECT 1 FROM ${table} WHERE row = ?`).get(row.row) !== undefined;
    return isTaken ? { ...row, row: null } : row;
  }

  const recordDeletion = deletions.kind(rows.kind, {
    target: rowSchema,
    restore(deleted) {
      const name = freeName(deleted);
      const row = getPlace(name === deleted.name ? deleted : renamed(deleted, name));
      db.sql(`INSERT INTO ${table} (${columns.join(', ')})
        VALUES (${columns.map(() => '?').join(', ')})`).run(
        ...columns.map((column) => row[column] ?? null),
      );
      return true;
    },
    onRestored: ({ id }) => rows.onChange(String(id)),
    renamed({ id, name }) {
      const now = db.sql(`SELECT name FROM ${table} WHERE id = ?`).get(id ?? null);
      const [from, to] = [String(name), String(now?.name ?? name)];
      return from === to ? null : { from, to };
    },
    finish(_deletionId, deleted) {
      if (deleted !== null) rows.onFinished?.(String(deleted.id));
    },
  });

  return (id) => {
    const row = db.sql(`SELECT ${columns.join(', ')} FROM ${table} WHERE id = ?`).get(id);
    if (row === undefined) return null;
    const deletionId = recordDeletion(() => {
      db.sql(`DELETE FROM ${table} WHERE id = ?`).run(id);
      return rowSchema.parse(row);
    });
    rows.onChange(id);
    return deletionId;
  };
}

/** “Exact 2” after “Exact”, within `longest` characters. */
export function numberedTitle(name: string, number: number, longest: number): string {
  const ending = ` ${number}`;
  return `${name.slice(0, longest - ending.length).trimEnd()}${ending}`;
}
