/** A console request that the user keeps under a name. */
import { z } from 'zod';
import { consoleInputSchema } from './operations/console/input.ts';

export const savedRequestSchema = z.object({
  id: z.string(),
  name: z.string().trim().min(1, 'Enter a name.').max(80),
  request: consoleInputSchema,
});
export type SavedRequest = z.infer<typeof savedRequestSchema>;
