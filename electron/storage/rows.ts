/** Reads and validates database rows; skips unreadable rows and shows a notice. */
import { z } from 'zod';
import type { Notice } from '../../shared/contract/system.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Database } from './database-access.ts';

export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
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

/** The notice is shown once per kind of row. */
export function createUnreadableNotice(what: string): Notice {
  return {
    id: `unreadable-${what}`,
    level: 'warning',
    message: `Some stored ${what} couldn’t be read and were skipped.`,
    nextStep: 'Nothing was deleted. Check the disk for errors.',
  };
}
