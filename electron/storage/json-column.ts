/** Reads a JSON text column as what the schema says. */
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';

export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      const value = parseJson(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: 'The column does not hold JSON.' });
      return z.NEVER;
    })
    .pipe(schema);
}
