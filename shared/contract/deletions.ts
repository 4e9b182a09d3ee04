/** Defines undo for deletions; a `deletionId` is valid for one minute. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

const restoredNameSchema = z.object({ from: z.string(), to: z.string() });
/** An item was renamed because its name is in use. */
export type RestoredName = z.infer<typeof restoredNameSchema>;

const undoneSchema = z.object({
  renamed: z.array(restoredNameSchema),
  /** Sentences about items that couldn't be restored or aren't shown yet. */
  notes: z.array(z.string()),
});
export type Undone = z.infer<typeof undoneSchema>;

export const deletionsContract = {
  /**
   * Skips items already restored, so a retry is safe; requests that the deletion stopped stay
   * stopped.
   */
  undo: procedure.input(z.object({ ids: z.array(z.string()).min(1) })).output(undoneSchema),
};
