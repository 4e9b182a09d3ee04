/** Reads a JSON text column as what the schema says. */
import { z } from 'zod';

export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'The column does not hold JSON.' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
