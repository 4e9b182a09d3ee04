/** Reads and validates database rows; skips unreadable rows and shows a notice. */
import type { SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import type { Notice } from '../../shared/contract/system.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Database } from './database-access.ts';

export function createJsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      const value = parseJson(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: 'The column doesn’t hold JSON.' });
      return z.NEVER;
    })
    .pipe(schema);
}

export function readRows<Value>(
  db: Pick<Database, 'warn'>,
  schema: z.ZodType<Value>,
  rows: readonly unknown[],
  what: string,
): Value[] {
  return rows.flatMap((row) => {
    const { success, data } = schema.safeParse(row);
    if (!success) db.warn(createUnreadableNotice(what));
    return success ? [data] : [];
  });
}

/** Objects are stored as JSON, and booleans as 0 or 1. */
type Fields = Readonly<Record<string, string | number | boolean | object | null | undefined>>;

/** Columns have the names of fields, in snake case. */
function toColumn(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toValue(value: Fields[string]): SQLInputValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Returns SQL that selects the columns of the schema's fields. */
export function selectFields({ shape }: z.ZodObject): string {
  const columns = Object.keys(shape).map((field) => `${toColumn(field)} AS ${field}`);
  return columns.join(', ');
}

export function insertFields(db: Pick<Database, 'sql'>, table: string, fields: Fields) {
  const columns = Object.keys(fields).map(toColumn).join(', ');
  const marks = Object.keys(fields)
    .map(() => '?')
    .join(', ');
  return db
    .sql(`INSERT INTO ${table} (${columns}) VALUES (${marks})`)
    .run(...Object.values(fields).map(toValue));
}

/** Updates the rows that match `where`, except for undefined fields; returns how many there are. */
export function updateFields(
  db: Pick<Database, 'sql'>,
  table: string,
  fields: Fields,
  where: string,
  ...values: SQLInputValue[]
): number {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (given.length === 0) return 0;
  const columns = given.map(([field]) => `${toColumn(field)} = ?`).join(', ');
  const { changes } = db
    .sql(`UPDATE ${table} SET ${columns} WHERE ${where}`)
    .run(...given.map(([, value]) => toValue(value)), ...values);
  return Number(changes);
}

/** Returns the column `id` of the rows that the SQL selects or changes. */
export function readIds(
  db: Pick<Database, 'sql'>,
  sql: string,
  ...values: SQLInputValue[]
): string[] {
  return db
    .sql(sql)
    .all(...values)
    .map(({ id }) => String(id));
}

/** Returns `fallback` if the column is null, and also, with a notice, if it can't be read. */
export function readColumn<Value>(
  db: Pick<Database, 'warn'>,
  schema: z.ZodType<Value>,
  column: unknown,
  fallback: Value,
  what: string,
): Value {
  return column === null ? fallback : (readRows(db, schema, [column], what)[0] ?? fallback);
}

/** The notice is shown once per kind of row. */
export function createUnreadableNotice(what: string): Notice {
  return {
    id: `unreadable-${what}`,
    level: 'warning',
    message: `Some stored ${what} couldn’t be read and were skipped.`,
    nextStep: 'Nothing was deleted. Check the disk for errors.',
  };
}
