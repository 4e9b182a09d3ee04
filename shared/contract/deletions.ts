/** Defines undo for deletions; a `deletionId` is valid for one minute. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

const restoredNameSchema = z.object({ from: z.string(), to: z.string() });
/** An item that was restored under a new name, because its old name is taken. */
export type RestoredName = z.infer<typeof restoredNameSchema>;

const undoneSchema = z.object({
  renamed: z.array(restoredNameSchema),
  /** Sentences about items that couldn't be restored or aren't shown yet. */
  notes: z.array(z.string()),
});
export type Undone = z.infer<typeof undoneSchema>;

export const deletionsContract = {
  /**
   * Skips items already restored, so retrying is safe; doesn't restart requests that were stopped.
   */
  undo: procedure.input(z.object({ ids: z.array(z.string()).min(1) })).output(undoneSchema),
};
