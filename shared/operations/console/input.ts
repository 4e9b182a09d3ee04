/** A console request as the form states it. */
import { z } from 'zod';

export const consoleInputSchema = z.object({
  method: z.string(),
  path: z.string(),
  /** `Name: value`, one per line. */
  headers: z.string(),
  bodyKind: z.enum(['json', 'form']),
  /** As typed; empty for none. */
  body: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The file of a multipart form, by its medium. */
  file: z.object({ name: z.string(), mediaId: z.string(), filename: z.string() }).nullable(),
});
export type ConsoleInput = z.infer<typeof consoleInputSchema>;
