/** A console request that the user keeps under a name. */
import { z } from 'zod';
import { consoleInputSchema } from './operations/console/input.ts';
import { savedNameSchema } from './saved-name.ts';

export const savedRequestSchema = z.object({
  id: z.string(),
  name: savedNameSchema,
  request: consoleInputSchema,
});
export type SavedRequest = z.infer<typeof savedRequestSchema>;
