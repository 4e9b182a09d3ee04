/** Undoing what was deleted. Procedures that delete return a `deletionId`, valid for one minute. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

const restoredNameSchema = z.object({ from: z.string(), to: z.string() });
/** Items restored under another name, because theirs is in use. */
export type RestoredName = z.infer<typeof restoredNameSchema>;

const undoneSchema = z.object({
  renamed: z.array(restoredNameSchema),
  /** Sentences: what was not restored, or is restored and still not shown. */
  notes: z.array(z.string()),
});
export type Undone = z.infer<typeof undoneSchema>;

export const deletionsContract = {
  /**
   * Brings back what was deleted; requests that the deletion stopped stay stopped. Those undone before are passed
   * over, so that a call may be repeated.
   */
  undo: procedure.input(z.object({ ids: z.array(z.string()).min(1) })).output(undoneSchema),
};
